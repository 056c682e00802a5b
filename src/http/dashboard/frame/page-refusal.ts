import { Parked } from '../../../errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../../../github/refusals/errors.ts';
import { httpProblemKinds, retryLater, toProblem } from '../../problem.ts';

/** An error page. Its sentence says what to do. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly status: number;
  readonly title: string;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    title: string,
    sentence: string,
    { headers = {}, cause }: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(sentence, { cause });
    this.status = status;
    this.title = title;
    this.headers = headers;
  }
}

/** One page for missing resources and for hidden ones, so that nobody learns which repositories exist. */
export const pageNotFound = () =>
  new PageRefusal(
    404,
    'Not found',
    'This page does not exist, or you do not have write access to its repository on GitHub.',
  );

export const onlyMaintainers = () =>
  new PageRefusal(
    403,
    'Only for maintainers',
    'You can write to this repository, but only people with the role maintain or admin may see this page. Ask one of them.',
  );

/** Turns any error into a page. Hides the message of an unexpected one, which may hold secrets. */
export function toPageRefusal(error: unknown): PageRefusal {
  if (error instanceof PageRefusal) return error;
  if (isGitHubDown(error)) return gitHubDown(error);
  const problem = toProblem(error);
  const { status, title } = httpProblemKinds[problem.kind];
  const sentence =
    problem.kind === 'internal'
      ? 'Internal error. Ask the operator to search the logs for the time of this error.'
      : problem.message;
  return new PageRefusal(status, title, sentence, { headers: problem.headers, cause: problem.cause });
}

export function gitHubDown(cause?: unknown): PageRefusal {
  const sentence = 'Pagewright could not ask GitHub what you may do here. Try again in a moment.';
  return new PageRefusal(503, 'GitHub did not answer', sentence, { headers: retryLater, cause });
}

/** Without GitHub's words: they are about the repository, and nobody knows yet whether the person may read it. */
export const gitHubRefused = () =>
  new PageRefusal(
    502,
    'Refused by GitHub',
    'GitHub refuses to tell Pagewright what you may do here. Ask the operator to search the log of the service for the reason.',
  );

const isGitHubDown = (error: unknown) =>
  error instanceof GitHubUnavailable ||
  error instanceof AmbiguousWrite ||
  error instanceof AppKeyRefused ||
  error instanceof Parked ||
  (error instanceof DOMException && error.name === 'TimeoutError');
