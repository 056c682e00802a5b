import { prosePathspecs } from '../docs/page-extensions.ts';
import type { RawChange } from '../git/diffs.ts';
import type { InRepository } from '../git/git.ts';
import { grepFiles } from '../git/grep-files.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { changeTree, readTree, type Tree } from '../git/tree.ts';
import { decodeText } from '../workspace/decode-text.ts';

const maxTextBytes = 2 * 1024 ** 2;

/** The tree before the changes of the run, as guards read it. */
export interface BaseFiles {
  files: Tree['files'];
  /** Without the paths that are missing, not UTF-8 text, or longer than 2 MiB. */
  readTexts(paths: Iterable<string>): Promise<Map<string, string>>;
  /** Pages that contain a text within a line, in any letter case. */
  findPages(text: string): Promise<string[]>;
}

export function createBaseFiles({
  tree,
  sha,
  ...repository
}: InRepository & {
  /** The commit or tree. */
  sha: string;
  tree: Tree;
}): BaseFiles {
  return {
    files: tree.files,
    async readTexts(paths) {
      const shas = new Map<string, string>();
      for (const path of paths) {
        const file = tree.files.get(path);
        if (file) shas.set(path, file.sha);
      }
      const blobs = await readBlobs({ ...repository, shas: shas.values(), maxBytes: maxTextBytes });
      const texts = new Map<string, string>();
      for (const [path, sha] of shas) {
        const bytes = blobs.get(sha);
        const text = bytes ? decodeText(bytes) : undefined;
        if (text !== undefined) texts.set(path, text);
      }
      return texts;
    },
    async findPages(text) {
      const found = await grepFiles({ ...repository, sha }, ['-l', '-z', '-i', '-F', '-e', text], {
        pathspecs: prosePathspecs,
      });
      // git writes the name of the commit before each path.
      return found.split('\0').flatMap((name) => (name === '' ? [] : name.slice(sha.length + 1)));
    },
  };
}

/** `sha`: a commit or a tree, without limits on its size: it has been checked out before. */
export async function readBaseFiles({ sha, ...repository }: InRepository & { sha: string }): Promise<BaseFiles> {
  return createBaseFiles({ ...repository, sha, tree: await readWhole({ ...repository, sha }) });
}

/** The files of the commit `to`, which differs from the commit `from` by `changes`. */
export async function readChangedFiles({
  from,
  to,
  changes,
  ...repository
}: InRepository & { from: string; to: string; changes: readonly RawChange[] }): Promise<BaseFiles> {
  const tree = changeTree(await readWhole({ ...repository, sha: from }), changes);
  return createBaseFiles({ ...repository, sha: to, tree });
}

const readWhole = (commit: InRepository & { sha: string }): Promise<Tree> =>
  readTree({ ...commit, maxFiles: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY });
