import type { Octokit } from '@octokit/rest';
import { Parked } from '../../errors.ts';
import type { Permissions } from '../auth/permissions.ts';
import { AdmissionFailed } from '../limits/admission.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../refusals/errors.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { readRefusal } from '../refusals/read-refusal.ts';
import { type Answer, readFate } from './failed-request.ts';
import { type Authentication, createOctokit } from './octokit.ts';
import type { Transport } from './transport.ts';

/** What a call makes of a refusal it expects, by status; to have it treated as any other, it throws the error it is given. */
export type Otherwise<Result> = Partial<Record<number, (answer: Answer, error: Error) => Result | Promise<Result>>>;

/**
 * One token's way to GitHub. `what` completes “could not …” and is shown to people.
 *
 * Both throw the signal's reason when aborted (a write that was on its way may have been done), `Parked` at a rate limit and for as long as
 * it lasts, `GitHubRefusal` (`permission_missing`, `not_found`, `refused`) for a 4xx not listed in `otherwise`,
 * and `installation_suspended` whatever is listed there, an `Error` for a token that is not valid (`AppKeyRefused` where it is the App's
 * own), and what `admit` and `onLimited` throw, as it is.
 */
export interface Connection {
  signal: AbortSignal;
  /** Repeated when no usable answer comes; then `GitHubUnavailable`. */
  read<Result>(
    what: string,
    request: (octokit: Octokit) => Promise<Result>,
    otherwise?: Otherwise<Result>,
  ): Promise<Result>;
  /** Sent once, whatever GitHub answers; `AmbiguousWrite` when it may have been done. */
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
  /** What the token may do; empty for the App's own JWT. */
  permissions?: Permissions;
  installationId?: number;
  writePatienceMs?: number | undefined;
}): Connection {
  const { authentication, permissions = {}, signal } = options;
  // Only an installation's own token is refused because of a suspension. Minting asks as the App, and makes more of a 403 than this would.
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
      const isKeyRefused = isApp && fate.kind === 'refused' && fate.answer.status === 401;
      const plain = new (isKeyRefused ? AppKeyRefused : Error)(`could not ${what}`, { cause: error });
      if (fate.kind === 'unsent') throw plain;
      const refusal = readRefusal({ what, answer: fate.answer, permissions, cause: error });
      const isSuspended = refusal?.reason === 'installation_suspended';
      const handle = isToken && isSuspended ? undefined : otherwise[fate.answer.status];
      if (handle === undefined) throw refusal ?? plain;
      return handle(fate.answer, refusal ?? plain);
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
