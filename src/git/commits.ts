import { realTiming } from '../timing.ts';
import type { InRepository } from './git.ts';

/** Whether the repository has a commit. */
export async function hasCommit({ git, gitDir, sha, signal }: InRepository & { sha: string }): Promise<boolean> {
  const { code } = await git(['cat-file', '-e', `${sha}^{commit}`], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}

/** Whether every file of the commit can be read. Throws what kept git from looking. */
export async function isReadable({ git, gitDir, sha, signal }: InRepository & { sha: string }): Promise<boolean> {
  // Reads each file as checking it out does, and needs no room on the disk. 255: an object is missing; 128: one is corrupt.
  const args = ['archive', '--format=tar', '--output=/dev/null', sha];
  const { code } = await git(args, { signal, gitDir, okCodes: [0, 128, 255], timeoutMs: realTiming.git.readTimeoutMs });
  return code === 0;
}

/** Whether `tip` is `sha` or has it among its ancestors; false when the repository does not have both. */
export async function isContained({
  git,
  gitDir,
  sha,
  tip,
  signal,
}: InRepository & { sha: string; tip: string }): Promise<boolean> {
  const { code } = await git(['merge-base', '--is-ancestor', sha, tip], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}

/**
 * The commit between `from` (null: the beginning) and `tip` whose message has this line among its trailers, like
 * `Pagewright-Run: run_…`; null when there is none. When several have it, because somebody picked it again, the first that was made.
 */
export async function findCommitByTrailer({
  git,
  gitDir,
  from,
  tip,
  trailer,
  signal,
}: InRepository & { from: string | null; tip: string; trailer: string }): Promise<string | null> {
  const range = from === null ? [tip] : [tip, `^${from}`];
  const format = '--format=%H%n%(trailers:only,unfold)';
  // Searching the messages is only for speed: the line may also stand in the middle of one.
  const args = ['log', '-z', '--topo-order', '--fixed-strings', `--grep=${trailer}`, format, ...range, '--'];
  const { stdout } = await git(args, { signal, gitDir });
  const commits = stdout.toString().split('\0');
  const found = commits.map((commit) => commit.split('\n')).findLast(([, ...trailers]) => trailers.includes(trailer));
  return found?.[0] ?? null;
}
