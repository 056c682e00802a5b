import { Parked } from '../errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { realTiming } from '../timing.ts';

export const parkWhileSuspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + realTiming.github.suspendedRetryMs), 'the installation is suspended', { cause });

/**
 * When to retry something of this age: after a rate limit or suspension, or in an outage after as long again as it has waited, at most five
 * minutes. Undefined for other errors.
 */
export function findWait(error: unknown, { ageMs }: { ageMs: number }): Date | undefined {
  if (error instanceof Parked) return error.until;
  if (error instanceof GitHubRefusal && error.reason === 'installation_suspended')
    return parkWhileSuspended(error).until;
  if (!isOutage(error)) return undefined;
  const delayMs = Math.min(
    Math.max(ageMs, realTiming.github.shortestOutageRetryMs),
    realTiming.github.longestOutageRetryMs,
  );
  return new Date(Date.now() + delayMs);
}

/** Where GitHub is silent, the queue's own time-out comes first. */
const isOutage = (error: unknown): boolean =>
  [GitHubUnavailable, AmbiguousWrite, AppKeyRefused].some((kind) => error instanceof kind) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
