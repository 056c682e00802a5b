import { isDatabaseAnswering, isDatabaseUnavailable } from '../store/availability.ts';
import type { Database } from '../store/database.ts';
import { Problem } from './problem.ts';

/** Sent with each 503, in seconds. */
export const retryLater = { 'Retry-After': '5' };

/** What callers are told of an error. Only a `Problem` shows its own message: any other may hold what is none of theirs. */
export async function toProblem(error: unknown, database: Database): Promise<Problem> {
  if (error instanceof Problem) return error;
  // The router's own: a path that is no valid percent-encoding.
  if (error instanceof URIError) return new Problem('invalid-request', 'The path of the URL is not valid.');
  // pg has no code for a connection that just ended, so the database itself is asked whether that was it.
  const isAway = isDatabaseUnavailable(error) || !(await isDatabaseAnswering(database, { withinMs: 400 }));
  if (isAway) {
    return new Problem('unavailable', 'The database cannot be reached right now. Try again soon.', {
      headers: retryLater,
      cause: error,
    });
  }
  return new Problem('internal', 'This request could not be served. Tell the operator the id in `instance`.', {
    cause: error,
  });
}
