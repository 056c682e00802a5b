import { Parked, RunFailure } from '../errors.ts';
import { AmbiguousWrite } from '../github/ambiguous-write.ts';
import { AppKeyRefused } from '../github/app-key-refused.ts';
import { GitHubUnavailable } from '../github/github-unavailable.ts';
import { suspended } from './suspended.ts';

const shortestOutageRetryMs = 2_000;
const longestOutageRetryMs = 5 * 60_000;

/**
 * Until when something that is `ageMs` old, and that was interrupted by this, waits for GitHub: for the end of a limit or a suspension, or
 * for an answer, which is asked for after as long again as it has waited, and at least every five minutes. Undefined: for nothing of
 * GitHub's.
 */
export function findWait(error: unknown, { ageMs }: { ageMs: number }): Date | undefined {
  if (error instanceof Parked) return error.until;
  if (error instanceof RunFailure && error.code === 'installation_suspended') return suspended(error).until;
  if (!isOutage(error)) return undefined;
  const delayMs = Math.min(Math.max(ageMs, shortestOutageRetryMs), longestOutageRetryMs);
  return new Date(Date.now() + delayMs);
}

/** A GitHub that is silent takes longer than an entry of the queue may: what comes then is the reason of its signal. */
const isOutage = (error: unknown): boolean =>
  [GitHubUnavailable, AmbiguousWrite, AppKeyRefused].some((kind) => error instanceof kind) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
