import { realTiming } from '../timing.ts';
import type { InRepository } from './git.ts';
import { readGit, runGit } from './run-git.ts';

export async function hasCommit({ sha, ...at }: InRepository & { sha: string }): Promise<boolean> {
  return (await runGit(at, ['cat-file', '-e', `${sha}^{commit}`], { okCodes: [0, 1, 128] })).code === 0;
}

/** Whether git can read every file of the commit. Throws other failures of git. */
export async function isReadable({ sha, ...at }: InRepository & { sha: string }): Promise<boolean> {
  // Reads like a checkout, without disk space. 255: an object is missing; 128: one is corrupt.
  const limits = { okCodes: [0, 128, 255], timeoutMs: realTiming.git.readTimeoutMs };
  return (await runGit(at, ['archive', '--format=tar', '--output=/dev/null', sha], limits)).code === 0;
}

/** Whether `tip` is `sha` or a descendant; false when one of two commits is missing. */
export async function isContained({ sha, tip, ...at }: InRepository & { sha: string; tip: string }): Promise<boolean> {
  // A run asks for the merge base of the same commits: git runs once for both.
  return (await findMergeBase({ ...at, commits: [sha, tip] })) === sha;
}

/** The newest commit that both contain; undefined when there is none, or one of the two is missing. */
export async function findMergeBase({
  commits: [a, b],
  ...at
}: InRepository & { commits: readonly [string, string] }): Promise<string | undefined> {
  if (a === b) return a;
  const { code, stdout } = await runGit(at, ['merge-base', a, b], { okCodes: [0, 1, 128], isLasting: true });
  return code === 0 ? stdout.toString().trim() : undefined;
}

/** `from` null: the beginning. `trailer` is like `Pagewright-Run: run_…`. Returns the oldest commit, when a cherry-pick repeats it. */
export async function findCommitByTrailer(
  request: InRepository & { from: string | null; tip: string; trailer: string },
): Promise<string | null> {
  const { from, tip, trailer, ...at } = request;
  const range = from === null ? [tip] : [tip, `^${from}`];
  const format = '--format=%H%n%(trailers:only,unfold)';
  // --grep only narrows the search: the line may also be in the body.
  const args = ['log', '-z', '--topo-order', '--fixed-strings', `--grep=${trailer}`, format, ...range, '--'];
  const commits = (await readGit(at, args)).split('\0');
  const found = commits.map((commit) => commit.split('\n')).findLast(([, ...trailers]) => trailers.includes(trailer));
  return found?.[0] ?? null;
}

/** The subjects of the newest commits, newest first. */
export async function listSubjects({
  sha,
  max,
  ...at
}: InRepository & { sha: string; max: number }): Promise<string[]> {
  return (await readGit(at, ['log', '-z', `--max-count=${max}`, '--format=%s', sha, '--'])).split('\0');
}
