import type { Git } from './git.ts';
import { splitAtNul } from './tree.ts';

const readTimeoutMs = 10 * 60 * 1000;

/** The paths that differ between two commits, in order; a renamed file is there with both names. */
export async function listChangedPaths({
  git,
  mirror: { directory: gitDir },
  from,
  to,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  from: string;
  to: string;
  signal: AbortSignal;
}): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--'];
  return Array.from(splitAtNul((await git(args, { signal, gitDir })).stdout), String);
}

/** Whether the mirror has a commit. */
export async function hasCommit({
  git,
  mirror: { directory: gitDir },
  sha,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  sha: string;
  signal: AbortSignal;
}): Promise<boolean> {
  const { code } = await git(['cat-file', '-e', `${sha}^{commit}`], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}

/** Whether every file of the commit can be read from the mirror. Throws what kept git from looking. */
export async function isReadable({
  git,
  mirror: { directory: gitDir },
  sha,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  sha: string;
  signal: AbortSignal;
}): Promise<boolean> {
  // Reads each file as checking it out does, and needs no room on the disk. 255: an object is missing; 128: one is corrupt.
  const args = ['archive', '--format=tar', '--output=/dev/null', sha];
  const { code } = await git(args, { signal, gitDir, okCodes: [0, 128, 255], timeoutMs: readTimeoutMs });
  return code === 0;
}

/** Whether `tip` is `sha` or has it among its ancestors; false when the mirror does not have both. */
export async function isContained({
  git,
  mirror: { directory: gitDir },
  sha,
  tip,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  sha: string;
  tip: string;
  signal: AbortSignal;
}): Promise<boolean> {
  const { code } = await git(['merge-base', '--is-ancestor', sha, tip], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}

/**
 * The commit between `from` (null: the beginning) and `tip` whose message has this line among its trailers, like
 * `Pagewright-Run: run_…`; null when there is none. When several have it, because somebody picked it again, the first that was made.
 */
export async function findCommitByTrailer({
  git,
  mirror: { directory: gitDir },
  from,
  tip,
  trailer,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  from: string | null;
  tip: string;
  trailer: string;
  signal: AbortSignal;
}): Promise<string | null> {
  const range = from === null ? [tip] : [tip, `^${from}`];
  const format = '--format=%H%n%(trailers:only,unfold)';
  // Searching the messages is only for speed: the line may also stand in the middle of one.
  const args = ['log', '-z', '--topo-order', '--fixed-strings', `--grep=${trailer}`, format, ...range, '--'];
  const { stdout } = await git(args, { signal, gitDir });
  const commits = stdout.toString().split('\0');
  const found = commits.map((commit) => commit.split('\n')).findLast(([, ...trailers]) => trailers.includes(trailer));
  return found?.[0] ?? null;
}
