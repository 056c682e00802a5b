import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import packageJson from '../../package.json' with { type: 'json' };
import type { Admit } from './admission.ts';
import { type Answered, createBoundedFetch } from './bounded-fetch.ts';
import { UnusableAnswer } from './failed-request.ts';
import { assertGraphqlDone } from './graphql-refusal.ts';
import { createLimitKeeper } from './limit-keeper.ts';
import type { Limit } from './rate-limit.ts';
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
  /**
   * The pauses before a write is sent again that GitHub refused because it did not know yet what was just created; all writes of one client
   * share them. Default 1,000, 2,000, 4,000 and 8,000.
   */
  settleDelaysMs?: readonly number[];
  /** Asked before each request in the name of an installation, by whatever token. None: all are sent at once. */
  admit?: Admit;
  /**
   * Called when a limit of GitHub's refuses this installation a request, or will refuse the next one: nobody may ask in its name until
   * `limit.until`, or until the moment that this returns.
   */
  onLimited?: (installationId: number, limit: Limit) => Promise<Date | undefined> | Date | undefined;
  /** Called when GitHub has taken something from an installation that was admitted as limited before. */
  onRecovered?: (installationId: number) => Promise<void> | void;
  /** Called once for each request, also where it is refused or no answer comes. Must not throw. */
  onAnswered?: (answered: Answered) => void;
}

export type Authentication = { token: string } | { appId: string; privateKey: string } | 'none';

// Octokit's request-log plugin prints every refusal, the expected ones too; what matters is in the errors thrown.
const silent = { debug() {}, info() {}, warn() {}, error() {} };

// Counted from when a client is built, because its token has just been minted then.
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
  /** How long a write waits for its slot before it is `Parked`. Default 30,000. */
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
      return await retryRead({ request, delaysMs: transport.retryDelaysMs ?? [1_000, 3_000], isTokenYoung, signal });
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
