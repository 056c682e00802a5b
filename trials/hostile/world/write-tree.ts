import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createGitEnvironment } from '../../../harness/git-client.ts';

/** `100644` a file, `100755` an executable, `120000` a symbolic link, `160000` a submodule, whose content is a commit's SHA. */
export interface Entry {
  path: string;
  mode: '100644' | '100755' | '120000' | '160000';
  content: string | Buffer;
}

/** Commits entries on top of a branch: modes and paths that the pages of GitHub would not make, but that a push can. */
export async function writeTree(gitDirectory: string, branch: string, entries: readonly Entry[]): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const head = [
    `commit ${ref}\n`,
    'committer Mallory <mallory@example.com> 1700000000 +0000\n',
    ...data('Change things\n'),
    `from ${ref}^0\n`,
  ];
  const changes = entries.flatMap(({ path, mode, content }) =>
    mode === '160000'
      ? [`M ${mode} ${content} ${quote(path)}\n`]
      : [`M ${mode} inline ${quote(path)}\n`, ...data(content)],
  );
  const input = Buffer.concat([...head, ...changes, 'done\n'].map((part) => Buffer.from(part)));
  await git(gitDirectory, ['fast-import', '--quiet', '--done', '--date-format=raw'], input);
}

/** Returns the output of git; throws with its error output. */
export async function git(directory: string, args: readonly string[], input: string | Buffer = ''): Promise<string> {
  const child = spawn('git', args, { cwd: directory, env: createGitEnvironment() });
  // git may end before it has read everything; its exit status decides.
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}

const data = (content: string | Buffer) => [`data ${Buffer.byteLength(content)}\n`, content, '\n'];

/** fast-import reads a quoted path as a C string, which may contain any byte. */
const quote = (path: string) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
