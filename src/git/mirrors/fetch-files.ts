import { realTiming } from '../../timing.ts';
import type { InRepository } from '../git.ts';
import type { Remote } from '../remote.ts';
import { runFetch } from './run-fetch.ts';

/**
 * Fetches, in one request, what a blobless mirror lacks of the files of commits and of the merge bases of each two of them: all that a run
 * reads. Leaves out commits that the mirror does not have. Throws as `runFetch`.
 */
export async function fetchFiles(
  request: InRepository & { commits: readonly string[]; remote: Remote; maxRepositoryBytes: number },
): Promise<void> {
  const { commits, ...fetch } = request;
  const read = await addMergeBases(fetch, new Set(commits));
  const shas = await listMissing(fetch, [...read]);
  if (shas !== '') await runFetch({ ...fetch, isBlobless: true, shas });
}

/** Where two commits have several merge bases, git merges those first, so theirs are added as well. */
async function addMergeBases(
  { git, gitDir, signal }: InRepository,
  commits: ReadonlySet<string>,
): Promise<Set<string>> {
  const all = new Set(commits);
  const queue = listPairs([...commits]);
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const options = { gitDir, signal, okCodes: [0, 1, 128], isLasting: true };
    const { code, stdout } = await git(['merge-base', '--all', ...pair], options);
    const bases = code === 0 ? stdout.toString().trim().split('\n') : [];
    if (bases.some((base) => !all.has(base))) queue.push(...listPairs(bases));
    for (const base of bases) all.add(base);
  }
  return all;
}

const listPairs = (items: readonly string[]) =>
  items.flatMap((a, index) => items.slice(index + 1).map((b): [string, string] => [a, b]));

const maxOutputBytes = 64 * 1024 ** 2;

/** One SHA a line. */
async function listMissing({ git, gitDir, signal }: InRepository, commits: readonly string[]): Promise<string> {
  const options = ['--objects', '--no-walk', '--missing=print', '--ignore-missing', '--quiet', '--stdin'];
  const { stdout } = await git(['rev-list', ...options], {
    gitDir,
    signal,
    maxOutputBytes,
    timeoutMs: realTiming.git.readTimeoutMs,
    stdin: commits.map((sha) => `${sha}\n`).join(''),
  });
  return stdout.toString().replaceAll(/^\?/gm, '');
}
