import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSizeLimit } from '../../disk/directory-size.ts';
import { fetchTimeoutMs, realTiming } from '../../timing.ts';
import { GitError, GitRefusal } from '../errors.ts';
import type { InRepository } from '../git.ts';
import type { Remote } from '../remote.ts';
import { runGit } from '../run-git.ts';

const promisor = 'promisor';

/** Makes a repository blobless. Only `runFetch` names the URL, so that git fetches nothing by itself. https://git-scm.com/docs/partial-clone */
export const bloblessConfig = `[remote "${promisor}"]\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`;

const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];

/** Fetches refspecs, or objects by their SHA. Throws `GitRefusal` `repository_too_large` or `repository_invalid`. */
async function runFetch(
  request: InRepository & {
    remote: Remote;
    isBlobless: boolean;
    maxRepositoryBytes: number;
  } & ({ refspecs: readonly string[] } | { shas: string }),
): Promise<void> {
  const { git, gitDir, remote, isBlobless, maxRepositoryBytes, signal, ...wanted } = request;
  const isByName = 'refspecs' in wanted;
  const config = [
    ...(isBlobless ? [`remote.${promisor}.url=${remote.url}`] : []),
    // What the remote knows that the mirror has, such as these objects’ commits, it would not send.
    ...(isByName ? [] : ['fetch.negotiationAlgorithm=noop']),
  ].flatMap((setting) => ['-c', setting]);
  const from = ['--', isBlobless ? promisor : remote.url];
  const args = isByName ? [...from, ...wanted.refspecs] : ['--stdin', ...from];
  await withSizeLimit({
    directory: gitDir,
    maxBytes: maxRepositoryBytes,
    tooLarge: () => new GitRefusal({ reason: 'repository_too_large', maxBytes: maxRepositoryBytes }),
    signal,
    work: (limited) =>
      git([...config, 'fetch', ...options, ...args], {
        signal: limited,
        gitDir,
        credential: remote,
        timeoutMs: fetchTimeoutMs,
        ...(!isByName && { stdin: wanted.shas }),
      }),
  }).catch((error: unknown) => {
    throw isRefusedByFsck(error) ? new GitRefusal({ reason: 'repository_invalid' }, { cause: error }) : error;
  });
}

/** git has no exit code for this. The text is stable under LC_ALL=C, and the remote's own lines begin with `remote: `.
 * https://github.com/git/git/blob/master/builtin/index-pack.c, builtin/unpack-objects.c */
function isRefusedByFsck(error: unknown): boolean {
  return error instanceof GitError && /^fatal: fsck error/m.test(error.stderr);
}

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
async function addMergeBases(at: InRepository, commits: ReadonlySet<string>): Promise<Set<string>> {
  const all = new Set(commits);
  const queue = listPairs([...commits]);
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const options = { okCodes: [0, 1, 128], isLasting: true };
    const { code, stdout } = await runGit(at, ['merge-base', '--all', ...pair], options);
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
async function listMissing(at: InRepository, commits: readonly string[]): Promise<string> {
  const options = ['--objects', '--no-walk', '--missing=print', '--ignore-missing', '--quiet', '--stdin'];
  const { stdout } = await runGit(at, ['rev-list', ...options], {
    maxOutputBytes,
    timeoutMs: realTiming.git.readTimeoutMs,
    stdin: commits.map((sha) => `${sha}\n`).join(''),
  });
  return stdout.toString().replaceAll(/^\?/gm, '');
}

/** Fetches branches, or `refs/pull/1/head`, into `<refs>/0`, `<refs>/1`, …; into a blobless mirror without their files. Throws as `runFetch`. */
export async function fetchRefs(
  options: InRepository & {
    remote: Remote;
    isBlobless: boolean;
    branches: readonly string[];
    refs: string;
    maxRepositoryBytes: number;
  },
): Promise<void> {
  const { branches, refs, ...fetch } = options;
  const refspecs = branches.map((branch, index) => `+${toRef(branch)}:${refs}/${index}`);
  await runFetch({ ...fetch, refspecs });
}

/** A branch, or the head of a pull request, which may come from a fork. */
const toRef = (name: string) => (/^refs\/pull\/\d+\/head$/.test(name) ? name : `refs/heads/${name}`);

/** The tips of the refs that `fetchRefs` fetched, by branch, read from their files: mirrors keep each new ref in one. */
export async function readFetched(options: {
  gitDir: string;
  branches: readonly string[];
  refs: string;
}): Promise<Map<string, string>> {
  const { gitDir, branches, refs } = options;
  const read = async (branch: string, index: number) => {
    const text = await readFile(join(gitDir, refs, String(index)), 'utf8');
    const [sha] = /^[0-9a-f]{40,64}(?=\n$)/.exec(text) ?? [];
    if (sha === undefined) throw new Error(`could not read ${refs}/${index} of ${gitDir}`);
    return [branch, sha] as const;
  };
  return new Map(await Promise.all(branches.map(read)));
}
