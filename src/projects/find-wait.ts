import { Parked } from '../errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Log } from '../log.ts';
import { realTiming } from '../timing.ts';

const longestOutageRetryMs = 5 * 60_000;

const shortestOutageRetryMs = 2_000;

const suspendedRetryMs = 10 * 60_000;

export const parkWhileSuspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + suspendedRetryMs), 'the installation is suspended', { cause });

/** In an outage, waits as long again as `ageMs`, at most five minutes. Undefined for errors that do not pass. */
export function findWait(error: unknown, { ageMs }: { ageMs: number }): Date | undefined {
  if (error instanceof Parked) return error.until;
  if (error instanceof GitHubRefusal && error.reason === 'installation_suspended')
    return parkWhileSuspended(error).until;
  if (!isOutage(error)) return undefined;
  const delayMs = Math.min(Math.max(ageMs, shortestOutageRetryMs), longestOutageRetryMs);
  return new Date(Date.now() + delayMs);
}

/** When to process a queue entry of this age again; undefined: it is too old. Throws errors that do not pass, for the queue to retry. */
export function findNextTry(
  error: unknown,
  { entry, ageMs, log }: { entry: object; ageMs: number; log: Log },
): Date | undefined {
  const until = findWait(error, { ageMs });
  if (!until) throw error;
  if (!(error instanceof Parked))
    log.warn({ err: error, entry }, 'could not process a queue entry; it will be retried');
  if (ageMs <= realTiming.queue.entryLifetimeMs) return until;
  log.warn({ entry }, 'gave up on a queue entry after three days');
  return undefined;
}

/** A `TimeoutError` is the queue's own, when GitHub gives no answer. */
const isOutage = (error: unknown): boolean =>
  [GitHubUnavailable, AmbiguousWrite, AppKeyRefused].some((kind) => error instanceof kind) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
