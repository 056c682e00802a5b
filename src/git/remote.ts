import { Parked } from '../errors.ts';
import { realTiming } from '../timing.ts';
import { GitError, GitRefusal, RemoteUnavailable } from './errors.ts';
import type { Git } from './git.ts';
import { basicAuthorization } from './git-environment.ts';

/** `url` is `https://…/owner/repo.git`, without a credential. */
export interface Remote {
  url: string;
  token: string;
}

/** Leaves out missing branches, and may include others: ls-remote matches suffixes. Throws as `explainRemoteFailure`. */
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

export async function isEmptyRemote(git: Git, remote: Remote, signal: AbortSignal): Promise<boolean> {
  return (await listRemote(git, remote, [], signal)).length === 0;
}

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

/** Repeats git's first request (https://git-scm.com/docs/http-protocol) to read its status, which git reports only as text. 401 and 403 may
 * pass, because new tokens take time to spread. Throws as `git.onLimited`. */
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
    const retryAt = await git.onLimited?.({ token: remote.token, until, isStated: statedMs !== undefined });
    return new Parked(retryAt ?? until, 'GitHub’s rate limit was reached', { cause });
  }
  if (status !== null && [404, 410, 451].includes(status)) {
    return new GitRefusal({ reason: 'repository_gone', status }, { cause });
  }
  const outcome = status === null ? 'gives no answer' : `answers ${status}`;
  const message = `could not ${action} ${remote.url} (its server ${outcome})`;
  return status === null || status >= 500 ? new RemoteUnavailable(message, { cause }) : new Error(message, { cause });
}

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
