import { measureDirectory } from '../../disk/directory-size.ts';
import { uniqueName } from '../../disk/files.ts';
import { Parked } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import { GitError, GitRefusal } from '../errors.ts';
import type { Git } from '../git.ts';
import { explainRemoteFailure, isEmptyRemote, type Remote, readBranches } from '../remote.ts';
import { fetchRefs, readFetched } from './fetch-refs.ts';
import { createMirrorDirectory, type MirrorUse } from './mirror-directory.ts';
import { createMirrorUpkeep } from './mirror-upkeep.ts';

const defaultMaxRepositoryBytes = 4 * 1024 ** 3;

/** A repository's objects on this machine, held for one run: nobody removes it until it is disposed. */
export interface Mirror extends AsyncDisposable {
  /** The bare repository. */
  directory: string;
  baseSha: string;
  /** The tip of the job's own branch, or null when the repository does not have it. */
  branchSha: string | null;
  /** The tip of the default branch, or null when nobody asked for it or the repository does not have it. */
  defaultSha: string | null;
  /** Says that an object cannot be read: once nobody holds the mirror, the next run fetches it anew. */
  markDamaged(): Promise<void>;
}

export interface FetchMirror extends Remote {
  /** GitHub's number: a repository keeps its mirror when it is renamed. */
  repositoryId: number;
  runId: string;
  base: string;
  branch: string | null;
  /** The repository's default branch, for who reads its settings. That it is gone is no reason for a fetch to fail. */
  defaultBranch?: string | undefined;
  signal: AbortSignal;
}

export type Mirrors = ReturnType<typeof createMirrors>;

/**
 * Full bare mirrors of repositories, one each, shared by all runs and all processes on this machine. They are caches: any of them may
 * disappear while no run holds it.
 *
 * `fetch` brings the base, the job's branch and the default branch up to date under refs of its own, so runs wait for one another only
 * where a mirror is new, damaged or has grown too large: one fetches it then, and the others find it there.
 * Throws `GitRefusal` with `repository_gone`, `repository_empty`, `branch_missing`, `repository_too_large` or `repository_invalid`, and
 * `Parked` at a rate limit or when somebody keeps the mirror from it for longer than `patienceMs`; any other error may pass by itself.
 *
 * `maintain` is for a timer in every process: it drops what dead runs left, packs mirrors that grew, and removes those used longest ago
 * until all of them fit into `maxBytes`. One process does it at a time; the others return at once.
 */
export function createMirrors({
  git,
  directory,
  maxBytes,
  maxRepositoryBytes = defaultMaxRepositoryBytes,
  patienceMs = realTiming.git.mirrorPatienceMs,
}: {
  git: Git;
  directory: string;
  maxBytes: number;
  maxRepositoryBytes?: number;
  patienceMs?: number;
}) {
  const mirrors = createMirrorDirectory({ git, directory });
  const upkeep = createMirrorUpkeep({ git, mirrors, maxBytes });

  async function fetch(request: FetchMirror): Promise<Mirror> {
    const first = await fetchExisting(request);
    const mirror = first === 'damaged' ? await fetchExisting(request) : first;
    if (mirror === 'damaged') {
      throw new Error(`could not replace the damaged mirror of ${request.url}`);
    }
    return mirror;
  }

  /** Asks which of the branches there are only where fetching all of them fails: the question costs a connection of its own. */
  async function fetchExisting(request: FetchMirror): Promise<Mirror | 'damaged'> {
    const wanted = listWanted(request);
    try {
      return await tryFetch(request, wanted);
    } catch (error) {
      request.signal.throwIfAborted();
      // Whoever is not to ask GitHub now does not ask it why.
      if (error instanceof GitRefusal || error instanceof Parked) {
        throw error;
      }
      const found = await findBranches(git, request);
      if (found.length === wanted.length) {
        throw error;
      }
      return tryFetch(request, found);
    }
  }

  async function tryFetch(request: FetchMirror, branches: readonly string[]): Promise<Mirror | 'damaged'> {
    const { repositoryId, runId, url, token, signal } = request;
    const gitDir = mirrors.pathOf(repositoryId);
    const refs = `refs/pagewright/${runId}/${uniqueName()}`;
    await using stack = new AsyncDisposableStack();
    const use = stack.use(await useSoon(repositoryId, signal));
    if (use.isNew) {
      await mirrors.create(repositoryId, signal);
    }
    try {
      await fetchRefs({ git, gitDir, remote: { url, token }, branches, refs, maxRepositoryBytes, signal });
      if (use.isNew) {
        await mirrors.noteLeanBytes(repositoryId, await measureDirectory(gitDir));
        if (!use.share()) {
          throw parkAway();
        }
        await upkeep.evict();
      }
      // Only now: nobody else can remove the mirror any more.
      const tips = await readFetched({ git, gitDir, branches, refs, signal });
      const tipOf = (branch: string | null | undefined) => (branch ? tips.get(branch) : undefined) ?? null;
      const baseSha = tipOf(request.base);
      if (baseSha === null) {
        throw new Error(`could not find ${request.base} in what was fetched from ${url}`);
      }
      const held = stack.move();
      held.defer(() => upkeep.release(repositoryId, refs, baseSha));
      return {
        directory: gitDir,
        baseSha,
        branchSha: tipOf(request.branch),
        defaultSha: tipOf(request.defaultBranch),
        markDamaged: () => mirrors.markDamaged(repositoryId),
        [Symbol.asyncDispose]: () => held.disposeAsync(),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Parked) throw error;
      if (error instanceof GitRefusal) {
        if (use.isNew) await mirrors.discard(repositoryId);
        // What git refused is in none of the mirror's refs: it stays good for all others.
        if (use.isNew || error.reason !== 'repository_too_large') throw error;
        // It may be what others fetch at the same moment, or what nobody needs any more: only a new mirror tells.
        await mirrors.markDamaged(repositoryId);
        return 'damaged';
      }
      // What lets git ask failed, as where the database is away: the remote has nothing to say about that.
      if (!(error instanceof GitError)) throw error;
      if (await upkeep.markIfBroken(repositoryId, signal)) {
        return 'damaged';
      }
      throw await explainRemoteFailure({
        git,
        remote: { url, token },
        service: 'git-upload-pack',
        cause: error,
        action: 'fetch',
        signal,
      });
    }
  }

  /** Whoever fetches a new mirror, or frees one, has it alone, for half an hour at the worst: too long for a worker's slot. */
  async function useSoon(repositoryId: number, signal: AbortSignal): Promise<MirrorUse> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(parkAway()), patienceMs);
    try {
      return await mirrors.use(repositoryId, AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  return { fetch, maintain: upkeep.maintain };
}

const parkAway = () =>
  new Parked(
    new Date(Date.now() + realTiming.git.mirrorRetryMs),
    'this machine’s copy of the repository is being fetched anew or tidied up',
  );

/** The base, the job's branch and the default branch, each once. */
const listWanted = ({ base, branch, defaultBranch }: FetchMirror): string[] =>
  [...new Set([base, branch, defaultBranch])].filter((name) => typeof name === 'string');

/** Those of them that the repository has; the base has to be one. */
async function findBranches(git: Git, request: FetchMirror): Promise<string[]> {
  const { url, token, base, signal } = request;
  const missing = new GitRefusal({ reason: 'branch_missing', branch: base });
  const format = await git(['check-ref-format', `refs/heads/${base}`], { signal, okCodes: [0, 1] });
  if (format.code !== 0) {
    throw missing;
  }
  const wanted = listWanted(request);
  const found = await readBranches({ git, remote: { url, token }, branches: wanted, signal });
  if (found.has(base)) {
    return wanted.filter((name) => found.has(name));
  }
  if (await isEmptyRemote(git, { url, token }, signal)) {
    throw new GitRefusal({ reason: 'repository_empty' });
  }
  throw missing;
}
