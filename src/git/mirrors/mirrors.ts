import { isDiskFull, uniqueName } from '../../disk/files.ts';
import { Parked } from '../../errors.ts';
import { GitError, GitRefusal } from '../errors.ts';
import type { Git } from '../git.ts';
import { explainRemoteFailure, isEmptyRemote, type Remote, readBranches } from '../remote.ts';
import { fetchFiles, fetchRefs, readFetched } from './fetch.ts';
import { createMirrorDirectory, type MirrorUse } from './mirror-directory.ts';
import { createMirrorUpkeep } from './mirror-upkeep.ts';

const mirrorRetryMs = 60_000;

const mirrorPatienceMs = 30_000;

const defaultMaxRepositoryBytes = 4 * 1024 ** 3;
/** Below, a second request costs more time than the files of old commits. Decision 0028 has the figures. */
const defaultBloblessFromBytes = 20 * 1024 ** 2;
const maxListed = 1_000;

/** Cannot be removed until it is disposed. */
export interface Mirror extends AsyncDisposable {
  directory: string;
  baseSha: string;
  /** The tip of the job's branch; null when it does not exist. */
  branchSha: string | null;
  /** The tip of the default branch; null when not requested, or when it does not exist. */
  defaultSha: string | null;
  markDamaged(): Promise<void>;
}

interface FetchMirror extends Remote {
  /** A renamed repository keeps its mirror. */
  repositoryId: number;
  runId: string;
  base: string;
  /** Or `refs/pull/1/head`. */
  branch: string | null;
  /** Optional: a missing default branch does not fail the fetch. */
  defaultBranch?: string | undefined;
  /** The size of the whole repository, as GitHub says. */
  bytes?: number | undefined;
  /** Other commits whose files the run reads, if the remote has them. */
  alsoRead?: readonly (string | null)[] | undefined;
  /** Replaces a mirror that lacks the files of old commits. */
  mustBeWhole?: boolean | undefined;
  signal: AbortSignal;
}

export type Mirrors = ReturnType<typeof createMirrors>;

/**
 * Bare mirrors, one per repository, shared by all processes of a machine. They are caches. That of a large repository lacks the
 * files of old commits, but has those of the fetched tips, of `alsoRead`, and of their merge bases. `fetch` uses separate refs:
 * runs wait for each other only where a mirror is new, damaged or too large. It throws `GitRefusal`, and `Parked` at a rate limit
 * or after `patienceMs` of waiting; other errors may pass. `maintain` runs in one process at a time and evicts down to `maxBytes`.
 */
export function createMirrors(parts: {
  git: Git;
  directory: string;
  /** Null: all but a fifth of the disk. */
  maxBytes: number | null;
  maxRepositoryBytes?: number;
  bloblessFromBytes?: number;
  patienceMs?: number;
}) {
  const { git, directory, maxBytes } = parts;
  const { maxRepositoryBytes = defaultMaxRepositoryBytes, bloblessFromBytes = defaultBloblessFromBytes } = parts;
  const { patienceMs = mirrorPatienceMs } = parts;
  const mirrors = createMirrorDirectory({ git, directory });
  const upkeep = createMirrorUpkeep({ git, mirrors, maxBytes });

  async function fetch(request: FetchMirror): Promise<Mirror> {
    const first = await fetchExisting(request);
    const mirror = first === 'damaged' ? await fetchExisting(request) : first;
    if (mirror === 'damaged') throw new Error(`could not replace the damaged mirror of ${request.url}`);
    return mirror;
  }

  /** Reads the branches only after a failure: it costs another connection. */
  async function fetchExisting(request: FetchMirror): Promise<Mirror | 'damaged'> {
    const branches = listBranches(request);
    try {
      return await tryFetch(request, branches);
    } catch (error) {
      request.signal.throwIfAborted();
      // At a rate limit, do not ask GitHub for the reason.
      if (error instanceof GitRefusal || error instanceof Parked || isDiskFull(error)) throw error;
      const found = await findBranches(git, request);
      if (found.length === branches.length) throw error;
      return tryFetch(request, found);
    }
  }

  async function tryFetch(request: FetchMirror, branches: readonly string[]): Promise<Mirror | 'damaged'> {
    const { repositoryId, runId, url, signal } = request;
    const refs = `refs/pagewright/${runId}/${uniqueName()}`;
    await using stack = new AsyncDisposableStack();
    const use = stack.use(await useSoon(repositoryId, signal));
    const isBlobless = await isBloblessOnceCreated(request, use);
    if (isBlobless && request.mustBeWhole) return await beWhole(repositoryId);
    try {
      const tips = await fetchTips(request, { use, branches, refs, isBlobless });
      if (tips === 'damaged') return tips;
      if (use.isNew) {
        await mirrors.noteLeanBytes(repositoryId, await mirrors.measure(repositoryId));
        if (!use.share()) throw parkAway();
        await upkeep.evict();
      }
      const tipOf = (branch: string | null | undefined) => (branch ? tips.get(branch) : undefined) ?? null;
      const baseSha = tipOf(request.base);
      if (baseSha === null) throw new Error(`could not find ${request.base} in what was fetched from ${url}`);
      const resources = stack.move();
      const own = branches.map((_, index) => `${refs}/${index}`);
      resources.defer(() => upkeep.release(repositoryId, own, baseSha));
      return {
        directory: mirrors.pathOf(repositoryId),
        baseSha,
        branchSha: tipOf(request.branch),
        defaultSha: tipOf(request.defaultBranch),
        markDamaged: () => mirrors.markDamaged(repositoryId, { mustBeWhole: true }),
        [Symbol.asyncDispose]: () => resources.disposeAsync(),
      };
    } catch (error) {
      signal.throwIfAborted();
      return await recover(error, request, use);
    }
  }

  async function isBloblessOnceCreated({ repositoryId, bytes = 0, mustBeWhole, signal }: FetchMirror, use: MirrorUse) {
    if (use.isNew) {
      const isBlobless = bytes >= bloblessFromBytes && !use.mustBeWhole && !mustBeWhole;
      await mirrors.create(repositoryId, { isBlobless, signal });
    }
    return mirrors.isBlobless(repositoryId);
  }

  /** By branch. */
  async function fetchTips(
    { repositoryId, url, token, alsoRead = [], signal }: FetchMirror,
    options: { use: MirrorUse; branches: readonly string[]; refs: string; isBlobless: boolean },
  ): Promise<Map<string, string> | 'damaged'> {
    const { use, branches, refs, isBlobless } = options;
    const gitDir = mirrors.pathOf(repositoryId);
    const place = { git, gitDir, remote: { url, token }, maxRepositoryBytes, signal };
    await fetchRefs({ ...place, isBlobless, branches, refs });
    const tips = await readFetched({ gitDir, branches, refs });
    if (!isBlobless) return tips;
    const commits = [...tips.values(), ...alsoRead].filter((sha) => sha !== null);
    const failed = await fetchFiles({ ...place, commits }).catch(toGitError);
    // The remote may send no files by their names.
    if (failed && use.isNew && failed.failure === 'exit') return beWhole(repositoryId);
    if (failed) throw failed;
    return tips;
  }

  /** Another fetch begins with a new mirror. */
  async function beWhole(repositoryId: number): Promise<'damaged'> {
    await mirrors.markDamaged(repositoryId, { mustBeWhole: true });
    return 'damaged';
  }

  /** Throws unless the mirror is to blame. */
  async function recover(error: unknown, request: FetchMirror, { isNew }: MirrorUse): Promise<'damaged'> {
    const { repositoryId, url, token, signal } = request;
    // What was fetched of it fills the disk.
    if (isNew && (isDiskFull(error) || error instanceof GitRefusal)) await mirrors.discard(repositoryId);
    if (error instanceof GitRefusal) {
      // Refused objects are in no ref: the mirror stays good.
      if (isNew || error.reason !== 'repository_too_large') throw error;
      // The size may come from concurrent fetches or unreachable objects: a new mirror decides.
      await mirrors.markDamaged(repositoryId);
      return 'damaged';
    }
    // An internal failure, such as a lost database, says nothing about the remote.
    if (!(error instanceof GitError) || isDiskFull(error)) throw error;
    if (await upkeep.markIfBroken(repositoryId, signal)) return 'damaged';
    const failed = { service: 'git-upload-pack', cause: error, action: 'fetch' } as const;
    throw await explainRemoteFailure({ git, remote: { url, token }, ...failed, signal });
  }

  /** A first fetch or cleanup may hold the lock for half an hour. */
  async function useSoon(repositoryId: number, signal: AbortSignal): Promise<MirrorUse> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(parkAway()), patienceMs);
    try {
      return await mirrors.use(repositoryId, AbortSignal.any([signal, patience.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The mirror as it was fetched last; null: there is none now. It cannot be removed until it is disposed. */
  async function openExisting(repositoryId: number): Promise<(Disposable & { directory: string }) | null> {
    const lock = await mirrors.tryUseExisting(repositoryId);
    return lock && { directory: mirrors.pathOf(repositoryId), [Symbol.dispose]: () => lock[Symbol.dispose]() };
  }

  /** Lists at most a thousand mirrors. */
  const list = async () => (await mirrors.list()).slice(0, maxListed);

  return { fetch, openExisting, list, maintain: upkeep.maintain };
}

function toGitError(error: unknown): GitError {
  if (error instanceof GitError) return error;
  throw error;
}

const parkAway = () =>
  new Parked(
    new Date(Date.now() + mirrorRetryMs),
    'this machine’s copy of the repository is being fetched or maintained',
  );

const listBranches = ({ base, branch, defaultBranch }: FetchMirror): string[] =>
  [...new Set([base, branch, defaultBranch])].filter((name) => typeof name === 'string');

/** Throws unless the base exists. */
async function findBranches(git: Git, request: FetchMirror): Promise<string[]> {
  const { url, token, base, signal } = request;
  const missing = new GitRefusal({ reason: 'branch_missing', branch: base });
  const format = await git(['check-ref-format', `refs/heads/${base}`], { signal, okCodes: [0, 1] });
  if (format.code !== 0) throw missing;
  const branches = listBranches(request);
  const found = await readBranches({ git, remote: { url, token }, branches, signal });
  if (found.has(base)) return branches.filter((name) => found.has(name));
  if (await isEmptyRemote({ git, remote: { url, token }, signal }))
    throw new GitRefusal({ reason: 'repository_empty' });
  throw missing;
}
