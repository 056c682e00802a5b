import type { Octokit } from '@octokit/rest';
import { Parked } from '../../errors.ts';
import type { Permissions } from '../auth/permissions.ts';
import { AdmissionFailed } from '../limits/admission.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable, TokenLost } from '../refusals/errors.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { readRefusal } from '../refusals/read-refusal.ts';
import { type GitHubResponse, isAboutApp, readFate, readMessage } from './failed-request.ts';
import { type Authentication, createOctokit } from './octokit.ts';
import type { Transport } from './transport.ts';

/** Handlers of expected refusals, by status. A handler throws `error` for any other refusal. */
export type Otherwise<Result> = Partial<
  Record<number, (answer: GitHubResponse, error: Error) => Result | Promise<Result>>
>;

/**
 * Requests with one token. `what` completes “could not …” and is shown to people. Throws the signal's reason when aborted (a write may have
 * been done), `Parked` at a rate limit, `GitHubRefusal` for a 4xx without a handler (always for `installation_suspended`), `TokenLost` for an
 * invalid token (`AppKeyRefused` for the App's key), and what `admit` and `onLimited` throw.
 */
export interface GitHubConnection {
  signal: AbortSignal;
  /** Retried without a usable answer; then throws `GitHubUnavailable`. */
  read<Result>(
    what: string,
    request: (octokit: Octokit) => Promise<Result>,
    otherwise?: Otherwise<Result>,
  ): Promise<Result>;
  /** Sent once. Throws `AmbiguousWrite` when GitHub may have done it. */
  write<Result>(
    what: string,
    request: (octokit: Octokit) => Promise<Result>,
    otherwise?: Otherwise<Result>,
  ): Promise<Result>;
}

export function createConnection(options: {
  transport: Transport;
  authentication: Authentication;
  signal: AbortSignal;
  /** The token's permissions; empty for the App's own JWT. */
  permissions?: Permissions | undefined;
  installationId?: number | undefined;
  writePatienceMs?: number | undefined;
}): GitHubConnection {
  const { authentication, permissions = {}, signal } = options;
  // A suspension refuses only installation tokens. Minting authenticates as the App, and explains a 403 better.
  const isToken = typeof authentication === 'object' && 'token' in authentication;
  const isApp = typeof authentication === 'object' && 'privateKey' in authentication;
  const octokit = createOctokit(options);

  async function attempt<Result>(
    what: string,
    request: (octokit: Octokit) => Promise<Result>,
    otherwise: Otherwise<Result>,
    whenLost: (cause: unknown) => Error,
  ): Promise<Result> {
    try {
      return await request(octokit);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Parked || error instanceof GitHubRefusal) throw error;
      if (error instanceof AdmissionFailed) throw error.cause;
      const fate = readFate(error);
      if (fate.kind === 'lost') throw whenLost(error);
      if (fate.kind === 'unsent') throw new Error(`could not ${what}`, { cause: error });
      if (isApp && isAboutApp(fate.answer)) {
        const words = `GitHub answered ${fate.answer.status} ${readMessage(fate.answer)}`;
        throw new AppKeyRefused(`could not ${what}: ${words}`, { cause: error });
      }
      const refusal = readRefusal({ what, answer: fate.answer, permissions, cause: error });
      const lost = new TokenLost(`could not ${what}: GitHub refuses the token`, { cause: error });
      const isSuspended = refusal?.reason === 'installation_suspended';
      const handle = isToken && isSuspended ? undefined : otherwise[fate.answer.status];
      if (handle === undefined) throw refusal ?? lost;
      return handle(fate.answer, refusal ?? lost);
    }
  }

  return {
    signal,
    read: (what, request, otherwise = {}) =>
      attempt(
        what,
        request,
        otherwise,
        (cause) => new GitHubUnavailable(`could not ${what}: GitHub gave no usable answer`, { cause }),
      ),
    write: (what, request, otherwise = {}) =>
      attempt(what, request, otherwise, (cause) => new AmbiguousWrite(`no clear answer to: ${what}`, { cause })),
  };
}
