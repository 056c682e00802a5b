import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import packageJson from '../../package.json' with { type: 'json' };
import { Parked } from '../errors.ts';
import { readFate, UnusableAnswer } from './failed-request.ts';
import { assertGraphqlDone } from './graphql-refusal.ts';
import { findLimitEnd } from './rate-limit.ts';
import { retryRead } from './retry-read.ts';

/** What all clients of one App share. */
export interface Transport {
  apiUrl: string;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
  /** Time for one request and its whole answer. Default 30,000. */
  requestTimeoutMs?: number;
  /** The pauses between the tries of a read; their number is how often one is repeated. Default 1,000 and 3,000. */
  retryDelaysMs?: readonly number[];
  /** Called before `Parked` is thrown, so that nobody else asks in the name of this installation until then. */
  onLimited?: (installationId: number, until: Date) => Promise<void> | void;
}

export type Authentication = { token: string } | { appId: string; privateKey: string } | 'none';

// Octokit's request-log plugin prints every refusal, the expected ones too; what matters is in the errors thrown.
const silent = { debug() {}, info() {}, warn() {}, error() {} };

// A client is built when its token has just been minted.
const youngTokenMs = 5_000;

/**
 * An Octokit that behaves as every request of this service must: it goes to `apiUrl`, names its API version, ends after a time-out or
 * with `signal`, repeats what changes nothing and never a write, and turns a rate limit into `Parked` without waiting for its end.
 */
export function createOctokit(options: {
  transport: Transport;
  authentication: Authentication;
  signal: AbortSignal;
  /** Whose rate limit the requests count against, if anyone's. */
  installationId?: number;
}): Octokit {
  const { transport, authentication, signal, installationId } = options;
  const createdAt = Date.now();
  const isTokenYoung = () =>
    typeof authentication === 'object' && 'token' in authentication && Date.now() - createdAt < youngTokenMs;
  const octokit = new Octokit({
    ...toAuthOptions(authentication),
    baseUrl: transport.apiUrl,
    userAgent: `pagewright/${packageJson.version}`,
    log: silent,
    request: { fetch: createBoundedFetch(transport, signal) },
  });
  octokit.hook.before('request', (parameters) => {
    // In place, because the hooks inside get this very object, whatever is passed on to them.
    parameters.headers['x-github-api-version'] = '2022-11-28';
  });
  octokit.hook.wrap('request', async (send, parameters) => {
    signal.throwIfAborted();
    const request = async () => {
      const response = assertUsable(await send(parameters));
      if (parameters.url.endsWith('/graphql')) assertGraphqlDone(response);
      return response;
    };
    try {
      if (!isRepeatable(parameters)) return await request();
      return await retryRead({ request, delaysMs: transport.retryDelaysMs ?? [1_000, 3_000], isTokenYoung, signal });
    } catch (error) {
      signal.throwIfAborted();
      const fate = readFate(error);
      const until = fate.kind === 'refused' ? findLimitEnd(fate.answer, new Date()) : undefined;
      if (until === undefined) throw error;
      if (installationId !== undefined) await transport.onLimited?.(installationId, until);
      throw new Parked(until, 'GitHub’s rate limit was reached', { cause: error });
    }
  });
  return octokit;
}

function toAuthOptions(authentication: Authentication) {
  if (authentication === 'none') return {};
  if ('token' in authentication) return { auth: authentication.token };
  return { authStrategy: createAppAuth, auth: authentication };
}

// The signal goes in here and not with each call's parameters, because only fetch sees every request there is.
function createBoundedFetch(
  { fetch, requestTimeoutMs = 30_000 }: Transport,
  signal: AbortSignal,
): typeof globalThis.fetch {
  return (input, init) => {
    const isRead = init?.method === 'GET' || init?.method === 'HEAD';
    return (fetch ?? globalThis.fetch)(input, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      // A renamed repository answers 301. fetch would follow a POST there as a GET and take its list for what was created.
      redirect: isRead ? 'follow' : 'manual',
    });
  };
}

/** Writes that change nothing when repeated: of a token that nobody received, and of a reaction that is there already. */
const repeatableWrites = new Set([
  '/app/installations/{installation_id}/access_tokens',
  '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
]);

function isRepeatable({ method, url }: { method: string; url: string }): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && repeatableWrites.has(url));
}

function assertUsable<Response extends { status: number; url: string; data: unknown }>(response: Response): Response {
  if (response.status >= 300)
    throw new Error(`${response.url} has moved, so nothing was written: the repository has a new name`);
  // What is accepted for later (202) has no result yet, and need not have a body.
  const isEmpty = [202, 204, 205].includes(response.status);
  if (isEmpty || (typeof response.data === 'object' && response.data !== null)) return response;
  throw new UnusableAnswer(`the answer from ${response.url} is not whole`);
}
