import { ModelUnavailable } from '../agent/model/errors.ts';
import { ToolFailure } from '../agent/tool.ts';
import { isDiskFull } from '../disk/files.ts';
import { HandedOver, LeaseLost, Parked, StopRequested } from '../errors.ts';
import { RemoteUnavailable } from '../git/errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { cancelled } from '../jobs/cancel-job.ts';
import { isDatabaseBusy, isDatabaseDiskFull, isDatabaseUnavailable } from '../store/postgres/availability.ts';
import { ThreadsBusy } from '../threads/threads.ts';
import { realTiming } from '../timing.ts';
import {
  appKeyRefused,
  diskFull,
  type FailedEnd,
  findFailedEnd,
  githubUnavailable,
  modelUnavailable,
  waitedTooLong,
} from './failures.ts';

const longestModelOutageMs = 3600_000;

const longestModelRetryMs = 15 * 60_000;

const shortestModelRetryMs = 60_000;

/** Mostly a person makes room on a full disk, and each try may pay for an answer that cannot be stored. */
const noRoomRetryMs = 60_000;

/** A task takes 5 s at most. */
const busyThreadsRetryMs = 5_000;

const databaseRetryMs = 1_000;

const githubOutageRetryMs = 30_000;

export type Classification =
  /** Another attempt would not help. */
  | ({ kind: 'end' } & FailedEnd)
  /** Another attempt later, or `ifTooLong` after a day of waiting. `reason` says to people for what. */
  | { kind: 'wait'; delayMs: number; reason: string; ifTooLong: FailedEnd }
  /** The model server may be down. */
  | { kind: 'wait_for_model'; detail: string }
  /** Another worker continues. */
  | { kind: 'give_back'; delayMs: number }
  /** Another attempt once the installation is unsuspended. */
  | { kind: 'suspended' }
  /** Unexpected: another attempt may help. */
  | { kind: 'fault' };

/** A run ends after this many crashes or faults since its last answer, so that a crash loop ends. */
export const maxInterruptions = 3;

/** Retries after 1 min, 2 min, 4 min …, at most 15 min, for an hour. `waitedMs`: time without progress, for any reason. */
export function classifyModelOutage(options: {
  downMs: number;
  waitedMs: number;
  detail: string;
}): Extract<Classification, { kind: 'end' }> | { kind: 'wait'; delayMs: number } {
  const { downMs, waitedMs, detail } = options;
  if (downMs >= longestModelOutageMs) return { kind: 'end', ...modelUnavailable(detail) };
  if (waitedMs > realTiming.runs.longestWaitMs) return { kind: 'end', ...waitedTooLong(`the model server: ${detail}`) };
  return {
    kind: 'wait',
    delayMs: Math.min(downMs + shortestModelRetryMs, longestModelRetryMs),
  };
}

export function classifyError(error: unknown): Classification {
  // The error of the work matters more than the error of its cleanup.
  if (error instanceof SuppressedError) return classifyError(error.suppressed);
  if (error instanceof ToolFailure) return classifyError(error.cause);
  if (error instanceof StopRequested) return { kind: 'end', ...cancelled };
  if (error instanceof GitHubRefusal && error.reason === 'installation_suspended') return { kind: 'suspended' };
  const end = findFailedEnd(error);
  if (end) return { kind: 'end', ...end };
  if (error instanceof Parked) {
    const { message: reason } = error;
    return { kind: 'wait', delayMs: error.until.getTime() - Date.now(), reason, ifTooLong: waitedTooLong(reason) };
  }
  if (error instanceof ModelUnavailable) return { kind: 'wait_for_model', detail: error.detail };
  const isOutage = [GitHubUnavailable, AmbiguousWrite, RemoteUnavailable].some((kind) => error instanceof kind);
  const delayMs = githubOutageRetryMs;
  if (isOutage) return { kind: 'wait', delayMs, reason: 'GitHub does not answer', ifTooLong: githubUnavailable };
  if (error instanceof AppKeyRefused)
    return { kind: 'wait', delayMs, reason: 'GitHub refuses the App’s private key', ifTooLong: appKeyRefused };
  if (isDiskFull(error)) return waitForRoom('the disk of Pagewright’s machine');
  if (isDatabaseDiskFull(error)) return waitForRoom('the disk of Pagewright’s database');
  if (error instanceof HandedOver || error instanceof LeaseLost) return { kind: 'give_back', delayMs: 0 };
  if (error instanceof ThreadsBusy) return { kind: 'give_back', delayMs: busyThreadsRetryMs };
  if (isDatabaseBusy(error)) return { kind: 'give_back', delayMs: noRoomRetryMs };
  if (isDatabaseUnavailable(error)) return { kind: 'give_back', delayMs: databaseRetryMs };
  return { kind: 'fault' };
}

const waitForRoom = (disk: string): Classification => ({
  kind: 'wait',
  delayMs: noRoomRetryMs,
  reason: `${disk} is full`,
  ifTooLong: diskFull(disk),
});
