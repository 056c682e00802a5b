import { Parked } from '../errors.ts';
import { realTiming } from '../timing.ts';
import { GitError, GitRefusal, RemoteUnavailable } from './errors.ts';
import type { Git } from './git.ts';
import { basicAuthorization } from './git-environment.ts';

/** Where a repository is fetched from and pushed to, and what opens it. `url` is `https://…/owner/repo.git`, without a credential. */
export interface Remote {
  url: string;
  token: string;
}

/**
 * Reads the tips of these branches, by name. One that does not exist is not in the map; others may be, because ls-remote compares the
 * ends of names. Throws what `explainRemoteFailure` says.
 */
export async function readBranches({
  git,
  remote,
  branches,
  signal,
}: {
  git: Git;
  remote: Remote;
  branches: readonly string[];
  signal: AbortSignal;
}): Promise<Map<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const lines = await listRemote(git, remote, refs, signal);
  return new Map(lines.map(([ref, sha]) => [ref.slice('refs/heads/'.length), sha]));
}

/** Whether the repository has no commit at all. */
export async function isEmptyRemote(git: Git, remote: Remote, signal: AbortSignal): Promise<boolean> {
  return (await listRemote(git, remote, [], signal)).length === 0;
}

/** The tip of one branch of the remote, or null when it does not exist. */
export async function readTip({
  git,
  url,
  token,
  branch,
  signal,
}: Remote & { git: Git; branch: string; signal: AbortSignal }): Promise<string | null> {
  const tips = await readBranches({ git, remote: { url, token }, branches: [branch], signal });
  return tips.get(branch) ?? null;
}

/**
 * Asks the remote itself what a failed git process meant, because git tells HTTP's answers apart only in its text: the first request of
 * git's own protocol (https://git-scm.com/docs/http-protocol) is sent again and its status read. Returns a `GitRefusal` with
 * `repository_gone` when the repository does not exist for us, `Parked` when it is asked too much, `RemoteUnavailable` when there is no
 * answer or one of 5xx, else an `Error` that may pass by itself. 401 and 403 may: not every server of GitHub knows a token that was minted
 * a moment ago. Whether access is lost for good, its API says when the run is tried again. Throws what `git.onLimited` throws.
 */
export async function explainRemoteFailure({
  git,
  remote,
  service,
  cause,
  action,
  signal,
}: {
  git: Git;
  remote: Remote;
  service: 'git-upload-pack' | 'git-receive-pack';
  cause: unknown;
  action: string;
  signal: AbortSignal;
}): Promise<Error> {
  const answer = await probe(remote, service, signal).catch(() => null);
  signal.throwIfAborted();
  const status = answer?.status ?? null;
  if (answer?.status === 429) {
    const { statedMs } = answer;
    const until = new Date(Date.now() + (statedMs ?? realTiming.git.leastPauseMs));
    const told = await git.onLimited?.({ token: remote.token, until, isStated: statedMs !== undefined });
    return new Parked(told ?? until, 'GitHub’s rate limit was reached', { cause });
  }
  if (status !== null && [404, 410, 451].includes(status)) {
    return new GitRefusal({ reason: 'repository_gone', status }, { cause });
  }
  const said = status === null ? 'gives no answer' : `answers ${status}`;
  const message = `could not ${action} ${remote.url} (its server ${said})`;
  return status === null || status >= 500 ? new RemoteUnavailable(message, { cause }) : new Error(message, { cause });
}

/** The HTTP status that the remote answers this service with, and for how long it asks to be left alone. Throws when there is no answer. */
async function probe(
  { url, token }: Remote,
  service: 'git-upload-pack' | 'git-receive-pack',
  signal: AbortSignal,
): Promise<{ status: number; statedMs: number | undefined }> {
  const response = await fetch(`${url}/info/refs?service=${service}`, {
    headers: { authorization: basicAuthorization(token) },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(realTiming.git.probeTimeoutMs)]),
  });
  await response.body?.cancel();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    statedMs: seconds >= 0 ? Math.min(seconds * 1_000, realTiming.git.longestPauseMs) : undefined,
  };
}

async function listRemote(
  git: Git,
  remote: Remote,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<(readonly [ref: string, sha: string])[]> {
  try {
    const { stdout } = await git(['ls-remote', '--heads', '--', remote.url, ...refs], {
      signal,
      credential: remote,
      onLongOutput: 'truncate',
    });
    return stdout
      .toString()
      .split('\n')
      .flatMap((line) => {
        const [sha, ref] = line.split('\t');
        return sha !== undefined && ref !== undefined ? [[ref, sha] as const] : [];
      });
  } catch (cause) {
    if (!(cause instanceof GitError)) {
      throw cause;
    }
    throw await explainRemoteFailure({
      git,
      remote,
      service: 'git-upload-pack',
      cause,
      action: 'read the branches of',
      signal,
    });
  }
}
