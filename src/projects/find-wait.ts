import { Parked } from '../errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { realTiming } from '../timing.ts';

export const parkWhileSuspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + realTiming.github.suspendedRetryMs), 'the installation is suspended', { cause });

/**
 * Until when something that is `ageMs` old waits for GitHub after this error: for the end of a limit or a suspension, or, where GitHub gave
 * no answer, for as long again as it has waited, five minutes at most. Undefined: the error is no reason to wait for GitHub.
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

/** Where GitHub is silent, the time of the queue's entry is up first, and the error is the `TimeoutError` of its signal. */
const isOutage = (error: unknown): boolean =>
  [GitHubUnavailable, AmbiguousWrite, AppKeyRefused].some((kind) => error instanceof kind) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
