import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import packageJson from '../../../package.json' with { type: 'json' };
import { realTiming } from '../../timing.ts';
import { createLimitKeeper } from '../limits/limit-keeper.ts';
import { UnusableAnswer } from './failed-request.ts';
import { assertGraphqlDone } from './graphql-refusal.ts';
import { retryRead } from './retry-read.ts';
import type { Transport } from './transport.ts';

export type Authentication = { token: string } | { appId: string; privateKey: string } | 'none';

// Octokit's request-log plugin prints every refusal, the expected ones too; what matters is in the errors thrown.
const silent = { debug() {}, info() {}, warn() {}, error() {} };

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
  /** How long a write waits for its slot before it is `Parked`. Default 30,000. */
  writePatienceMs?: number | undefined;
}): Octokit {
  const { transport, authentication, signal, installationId, writePatienceMs } = options;
  const createdAt = Date.now();
  const isToken = typeof authentication === 'object' && 'token' in authentication;
  const isTokenYoung = () => isToken && Date.now() - createdAt < realTiming.github.youngTokenMs;
  const octokit = new Octokit({
    ...toAuthOptions(authentication),
    baseUrl: transport.apiUrl,
    userAgent: `pagewright/${packageJson.version}`,
    log: silent,
    request: { fetch: createBoundedFetch({ transport, installationId, signal }) },
  });
  const limits = createLimitKeeper({ transport, installationId, isToken, writePatienceMs, signal });
  octokit.hook.before('request', (parameters) => {
    // In place, because the hooks inside get this very object, whatever is passed on to them.
    parameters.headers['x-github-api-version'] = '2022-11-28';
  });
  octokit.hook.wrap('request', async (send, parameters) => {
    signal.throwIfAborted();
    const request = () =>
      limits.around(parameters, async () => {
        const response = assertUsable(await send(parameters));
        if (parameters.url.endsWith('/graphql')) assertGraphqlDone(response);
        return response;
      });
    try {
      if (!isRepeatable(parameters)) return await request();
      return await retryRead({
        request,
        delaysMs: transport.retryDelaysMs ?? realTiming.github.retryDelaysMs,
        isTokenYoung,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  });
  return octokit;
}

function toAuthOptions(authentication: Authentication) {
  if (authentication === 'none') return {};
  if ('token' in authentication) return { auth: authentication.token };
  return { authStrategy: createAppAuth, auth: authentication };
}

/** Writes that do no harm when repeated: the minting of a token that nobody received, and a reaction that is there already. */
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

/**
 * The fetch of one client: each request ends after a time-out or with `signal`, and `onAnswered` is told what came of it. Both are done
 * here and not around each call, because only fetch sees every request.
 */
export function createBoundedFetch({
  transport: { fetch = globalThis.fetch, requestTimeoutMs = 30_000, onAnswered = () => {} },
  installationId,
  signal,
}: {
  transport: Transport;
  installationId: number | undefined;
  signal: AbortSignal;
}): typeof globalThis.fetch {
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    const tell = (response?: Response) =>
      onAnswered({
        method,
        status: response?.status ?? 0,
        installationId,
        remaining: readCount(response?.headers.get('x-ratelimit-remaining')),
        limit: readCount(response?.headers.get('x-ratelimit-limit')),
      });
    const isRead = method === 'GET' || method === 'HEAD';
    const response = await fetch(input, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      // A renamed repository answers 301. fetch would follow a POST there as a GET and take its list for what was created.
      redirect: isRead ? 'follow' : 'manual',
    }).catch((error: unknown) => {
      tell();
      throw error;
    });
    tell(response);
    return response;
  };
}

const readCount = (text: string | null | undefined): number | undefined =>
  text && /^\d+$/.test(text) ? Number(text) : undefined;
