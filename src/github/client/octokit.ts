import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import packageJson from '../../../package.json' with { type: 'json' };
import { realTiming } from '../../timing.ts';
import { countsForInstallation, isInstallationWrite } from '../limits/admission.ts';
import { createLimitKeeper } from '../limits/limit-keeper.ts';
import { UnusableAnswer } from './failed-request.ts';
import { assertGraphqlDone } from './graphql-refusal.ts';
import { retryRead } from './retry-read.ts';
import type { Transport } from './transport.ts';

/** GitHub may refuse a token that is younger than this. */
const youngTokenMs = 5_000;

export type Authentication = { token: string } | { appId: string; privateKey: string } | 'none';

// Octokit's request-log plugin prints every refusal, also the expected ones.
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Requests go to `apiUrl` and end with a time-out or `signal`. Reads are retried, writes never. A rate limit throws `Parked` at once. */
export function createOctokit(options: {
  transport: Transport;
  authentication: Authentication;
  signal: AbortSignal;
  installationId?: number;
  writePatienceMs?: number | undefined;
}): Octokit {
  const { transport, authentication, signal, installationId, writePatienceMs } = options;
  const createdAt = Date.now();
  const isToken = typeof authentication === 'object' && 'token' in authentication;
  const isTokenYoung = () => isToken && Date.now() - createdAt < youngTokenMs;
  const octokit = new Octokit({
    ...toAuthOptions(authentication),
    baseUrl: transport.apiUrl,
    userAgent: `pagewright/${packageJson.version}`,
    log: silent,
    request: { fetch: createBoundedFetch({ transport, installationId, signal }) },
  });
  const limits = createLimitKeeper({ transport, installationId, isToken, writePatienceMs, signal });
  octokit.hook.before('request', (parameters) => {
    // In place: inner hooks get this object whatever this hook returns.
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

/** Idempotent writes. A minted token that nobody received does no harm. */
const repeatableWrites = new Set([
  '/app/installations/{installation_id}/access_tokens',
  '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
]);

function isRepeatable(request: { method: string; url: string; query?: unknown }): boolean {
  const { method, url } = request;
  return (
    repeatableWrites.has(url) || method === 'GET' || (countsForInstallation(request) && !isInstallationWrite(request))
  );
}

function assertUsable<Response extends { status: number; url: string; data: unknown }>(response: Response): Response {
  if (response.status >= 300)
    throw new Error(`${response.url} redirects, so nothing was written: the repository was renamed`);
  // A 202 has no result yet, and may have no body.
  const isEmpty = [202, 204, 205].includes(response.status);
  if (isEmpty || (typeof response.data === 'object' && response.data !== null)) return response;
  throw new UnusableAnswer(`the answer from ${response.url} is incomplete`);
}

/** Each request ends after a time-out or with `signal` and is reported to `onAnswered`. Only fetch sees every request. */
function createBoundedFetch({
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
    const report = (response?: Response) =>
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
      // A renamed repository answers 301. fetch would follow a POST as a GET, and take the list for the created item.
      redirect: isRead ? 'follow' : 'manual',
    }).catch((error: unknown) => {
      report();
      throw error;
    });
    report(response);
    return response;
  };
}

const readCount = (text: string | null | undefined): number | undefined =>
  text && /^\d+$/.test(text) ? Number(text) : undefined;
