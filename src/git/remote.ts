import { Parked } from '../errors.ts';
import { realTiming } from '../timing.ts';
import { GitRefusal, RemoteUnavailable } from './errors.ts';
import type { Git } from './git.ts';
import { basicAuthorization, type Credential } from './git-environment.ts';

const probeTimeoutMs = 30_000;

/** `url` is `https://…/owner/repo.git`, without a credential. */
export interface Remote {
  url: string;
  token: string;
}

interface OfRemote {
  git: Git;
  remote: Remote;
  signal: AbortSignal;
}

/** Leaves out missing branches, and may include others, which begin with the same name. Throws as `explainRemoteFailure`. */
export async function readBranches(request: OfRemote & { branches: readonly string[] }): Promise<Map<string, string>> {
  const { branches, ...remote } = request;
  return new Map(await listRemote(remote, branches));
}

export async function isEmptyRemote(remote: OfRemote): Promise<boolean> {
  return (await listRemote(remote, [''])).length === 0;
}

export async function readTip(
  options: Remote & { git: Git; branch: string; signal: AbortSignal },
): Promise<string | null> {
  const { git, url, token, branch, signal } = options;
  const tips = await readBranches({ git, remote: { url, token }, branches: [branch], signal });
  return tips.get(branch) ?? null;
}

/** Repeats git's first request (https://git-scm.com/docs/http-protocol) to read its status, which git reports only as text. 401 and 403 may
 * pass, because new tokens take time to spread. Throws as `git.onLimited`. */
export async function explainRemoteFailure(options: {
  git: Git;
  remote: Remote;
  service: 'git-upload-pack' | 'git-receive-pack';
  cause: unknown;
  action: string;
  signal: AbortSignal;
}): Promise<Error> {
  const { git, remote, service, cause, action, signal } = options;
  const answer = await probe(remote, service, signal).catch(() => null);
  signal.throwIfAborted();
  const status = answer?.status ?? null;
  if (answer?.status === 429) {
    const { statedMs } = answer;
    const until = new Date(Date.now() + (statedMs ?? realTiming.git.leastPauseMs));
    const retryAt = await git.onLimited?.({ token: remote.token, until, isStated: statedMs !== undefined });
    return new Parked(retryAt ?? until, 'GitHub’s rate limit was reached', { cause });
  }
  if (status !== null && [404, 410, 451].includes(status))
    return new GitRefusal({ reason: 'repository_gone', status }, { cause });
  const words = answer?.words ?? '';
  if (status === 403 && /\bIP allow list\b/i.test(words))
    return new GitRefusal({ reason: 'address_refused', words }, { cause });
  const outcome = status === null ? 'gives no answer' : `answers ${status}${words === '' ? '' : `: ${words}`}`;
  const message = `could not ${action} ${remote.url} (its server ${outcome})`;
  return status === null || status >= 500 ? new RemoteUnavailable(message, { cause }) : new Error(message, { cause });
}

async function probe(
  { url, token }: Remote,
  service: 'git-upload-pack' | 'git-receive-pack',
  signal: AbortSignal,
): Promise<{ status: number; statedMs: number | undefined; words: string }> {
  const response = await fetch(`${url}/info/refs?service=${service}`, {
    headers: { authorization: basicAuthorization(token) },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]),
  });
  const words = await readWords(response);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    words,
    statedMs: seconds >= 0 ? Math.min(seconds * 1_000, realTiming.git.longestPauseMs) : undefined,
  };
}

const maxWordsBytes = 4_096;
const maxWords = 300;

/** The beginning of a plain text that explains a refusal; otherwise empty. */
async function readWords({ status, headers, body }: Response): Promise<string> {
  if (body === null) return '';
  if (status < 400 || !/^text\/plain\b/i.test(headers.get('content-type') ?? '')) {
    await body.cancel();
    return '';
  }
  return (await readBeginning(body, maxWordsBytes))
    .toString('utf8', 0, maxWordsBytes)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxWords);
}

async function listRemote({ git, remote, signal }: OfRemote, prefixes: readonly string[]): Promise<[string, string][]> {
  await git.admit?.({ token: remote.token, signal });
  try {
    return await listHeads(remote, { prefixes, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const failed = { service: 'git-upload-pack', cause, action: 'read the branches of' } as const;
    throw await explainRemoteFailure({ git, remote, ...failed, signal });
  }
}

/** A longer list is cut. */
const maxBytes = 16 * 1024 ** 2;

/**
 * The branches of a remote that begin with a prefix, with their tips: one request of git's protocol, where `git ls-remote` needs two, a
 * connection of its own and two processes. https://git-scm.com/docs/protocol-v2#_ls_refs
 */
export async function listHeads(
  { url, token }: Credential,
  { prefixes, signal }: { prefixes: readonly string[]; signal: AbortSignal },
): Promise<[branch: string, sha: string][]> {
  const response = await fetch(`${url}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: basicAuthorization(token),
      'git-protocol': 'version=2',
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
    },
    body: [
      ...[writeLine('command=ls-refs'), separator],
      ...prefixes.map((prefix) => writeLine(`ref-prefix ${heads}${prefix}`)),
      end,
    ].join(''),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(realTiming.git.commandTimeoutMs)]),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`could not list the branches of ${url}: ${response.status}`);
  }
  return parseHeads(await readBeginning(response.body, maxBytes));
}

/** All, or somewhat more than `maxBytes`. */
async function readBeginning(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const heads = 'refs/heads/';
/** https://git-scm.com/docs/protocol-common#_pkt_line_format */
const separator = '0001';
const end = '0000';

const writeLine = (text: string) => {
  const length = Buffer.byteLength(text) + 5;
  return `${length.toString(16).padStart(4, '0')}${text}\n`;
};

function parseHeads(answer: Buffer): [branch: string, sha: string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (length === 0) return found;
    if (at + length > answer.length) break;
    const line = answer.toString('utf8', at + 4, at + length);
    const [, sha, branch] = /^([0-9a-f]{40,64}) refs\/heads\/(\S+)/.exec(line) ?? [];
    if (sha === undefined || branch === undefined)
      throw new Error(`could not read a list of branches: ${line.slice(0, 200)}`);
    found.push([branch, sha]);
    at += length;
  }
  if (answer.length > maxBytes) return found;
  throw new Error('a list of branches broke off');
}
