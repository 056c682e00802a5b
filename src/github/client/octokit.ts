import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { pause } from '../../pause.ts';
import { realTiming } from '../../timing.ts';
import { countsForInstallation, isInstallationWrite } from '../limits/admission.ts';
import { createLimitKeeper } from '../limits/limit-keeper.ts';
import { isLimitedQuery } from '../limits/rate-limit.ts';
import { readFate, UnusableAnswer } from './failed-request.ts';
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
  installationId?: number | undefined;
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
  '/repos/{owner}/{repo}/issues/{issue_number}/reactions',
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

/** Retries a request without a usable answer, or with a 401 for a young token, which GitHub's servers may not know yet
 * (https://github.com/octokit/auth-app.js/blob/main/src/hook.ts). Throws the last error. No try begins more than `withinMs` after the first. */
export async function retryRead<Result>(options: {
  request: () => Promise<Result>;
  delaysMs: readonly number[];
  isTokenYoung: () => boolean;
  withinMs?: number;
  signal: AbortSignal;
}): Promise<Result> {
  const { request, delaysMs, isTokenYoung, withinMs = realTiming.github.tryWithinMs, signal } = options;
  const startedAt = performance.now();
  for (const delayMs of delaysMs) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const fate = readFate(error);
      const isRetryable =
        fate.kind === 'lost' || (fate.kind === 'refused' && fate.answer.status === 401 && isTokenYoung());
      if (!isRetryable || performance.now() - startedAt + delayMs > withinMs) throw error;
      await pause(delayMs, signal);
    }
  }
  return request();
}

/** GraphQL refuses with status 200 and a list of errors. Has the shape of Octokit's RequestError, so `readFate` reads it. */
class GraphqlRefusal extends Error {
  override readonly name = 'GraphqlRefusal';
  readonly status: number;
  readonly response: unknown;

  constructor(response: { status: number }) {
    super('GitHub refused a GraphQL request');
    this.status = response.status;
    this.response = response;
  }
}

/** Error types that prove that nothing was done. GitHub does not document them; STALE_DATA: https://github.com/planetscale/ghcommit/pull/153 */
const refusals = new Set([
  'FORBIDDEN',
  'INSUFFICIENT_SCOPES',
  'NOT_FOUND',
  'RATE_LIMITED',
  'STALE_DATA',
  'UNPROCESSABLE',
]);

const errorSchema = z.object({ type: z.string().nullish(), extensions: z.unknown().optional() });
const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(errorSchema).optional(),
});

/** Throws `GraphqlRefusal` when all errors prove that nothing was done, else `UnusableAnswer`. GitHub's own failures (“Something went wrong
 * while executing your query. This may be the result of a timeout”) also have status 200 and an error without a type. */
function assertGraphqlDone(answer: { status: number; data: unknown }): void {
  const { data, errors } = answerSchema.parse(answer.data);
  if (errors === undefined && data) return;
  const hasDoneNothing = Object.values(data ?? {}).every((value) => value === null);
  // Errors of an invalid query have no type, but `extensions`; GitHub did not start it.
  const isClear = ({ type, extensions }: z.infer<typeof errorSchema>) =>
    type ? refusals.has(type) : Boolean(extensions);
  const isRefused = isLimitedQuery(answer.data) || (errors ?? []).every(isClear);
  if (errors && errors.length > 0 && hasDoneNothing && isRefused) throw new GraphqlRefusal(answer);
  throw new UnusableAnswer('the answer to a GraphQL request is ambiguous');
}
