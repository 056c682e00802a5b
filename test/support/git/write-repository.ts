import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** An entry of a tree, in git's own form: mode, name, object. */
export interface TreeEntry {
  mode: string;
  name: string;
  sha: string;
}

/** A bare repository, written without git: starting it from a large process takes longer than most tests. */
export function createBareRepository(directory: string) {
  for (const folder of ['objects', 'refs/heads']) mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(directory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n');
  return {
    /** Writes what it gets, also what git itself would refuse. https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
    writeObject(type: 'blob' | 'tree' | 'commit', content: string | Uint8Array): string {
      const body = Buffer.from(content);
      const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
      const sha = createHash('sha1').update(object).digest('hex');
      const path = join(directory, 'objects', sha.slice(0, 2), sha.slice(2));
      if (!existsSync(path)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, deflateSync(object, { level: 1 }));
      }
      return sha;
    },
    writeRef(name: string, sha: string): void {
      const path = join(directory, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${sha}\n`);
    },
  };
}

/** In git's order: a folder sorts as if its name ended in a slash. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const key = ({ mode, name }: TreeEntry) => Buffer.from(mode === '40000' ? `${name}/` : name);
  return Buffer.concat(
    entries
      .toSorted((a, b) => Buffer.compare(key(a), key(b)))
      .map(({ mode, name, sha }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')])),
  );
}
