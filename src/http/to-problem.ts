import { isDatabaseUnavailable } from '../store/postgres/availability.ts';
import { Problem } from './problem.ts';

/** Sent with each 503, in seconds. */
export const retryLater = { 'Retry-After': '5' };

/** What callers are told of an error. Only a `Problem` shows its own message; that of any other error may hold what is not meant for them. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // The router's own: a path that is no valid percent-encoding.
  if (error instanceof URIError) return new Problem('invalid-request', 'The path of the URL is not valid.');
  if (isDatabaseUnavailable(error)) {
    return new Problem('unavailable', 'The database cannot be reached right now. Try again soon.', {
      headers: retryLater,
      cause: error,
    });
  }
  return new Problem('internal', 'This request could not be served. Tell the operator the id in `instance`.', {
    cause: error,
  });
}
