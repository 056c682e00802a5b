import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The diff between two commits or branches of a bare repository, as people read it. */
export async function readDiff(gitDirectory: string, { from, to }: { from: string; to: string }): Promise<string> {
  const args = ['--git-dir', gitDirectory, 'diff', '--no-color', `${from}...${to}`];
  const { stdout } = await promisify(execFile)('git', args);
  return stdout;
}

/** One line per commit of `to` that `from` does not have, oldest first. */
export async function readCommits(gitDirectory: string, { from, to }: { from: string; to: string }): Promise<string[]> {
  const args = ['--git-dir', gitDirectory, 'log', '--reverse', '--format=%h %an: %s', `${from}..${to}`];
  const { stdout } = await promisify(execFile)('git', args);
  return stdout.trim().split('\n');
}

/** The number of the first line of a file that holds `text`. Throws when none does. */
export async function findLine(
  gitDirectory: string,
  { branch, path, text }: { branch: string; path: string; text: string },
): Promise<number> {
  const { stdout } = await promisify(execFile)('git', ['--git-dir', gitDirectory, 'show', `${branch}:${path}`]);
  const index = stdout.split('\n').findIndex((line) => line.includes(text));
  if (index === -1) throw new Error(`could not find ${text} in ${path} on ${branch}`);
  return index + 1;
}
