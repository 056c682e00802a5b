import { ModelUnavailable } from '../agent/model/errors.ts';
import { ToolFailure } from '../agent/tool.ts';
import { isDiskFull } from '../disk/files.ts';
import { HandedOver, LeaseLost, Parked, StopRequested } from '../errors.ts';
import { RemoteUnavailable } from '../git/errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { cancelled } from '../jobs/cancel-job.ts';
import { failRun } from '../jobs/end-run.ts';
import { tellWaiting } from '../jobs/job-events.ts';
import type { Log } from '../log.ts';
import {
  isDatabaseBusy,
  isDatabaseDiskFull,
  isDatabaseUnavailable,
  retryUntilAvailable,
} from '../store/postgres/availability.ts';
import type { Database, Tx } from '../store/postgres/database.ts';
import { inLease, type Lease, releaseLease, renewLease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { countInterruption, markModelDown, markRunWaiting, type Run } from '../store/tables/jobs/runs.ts';
import { suspendInstallationOf } from '../store/tables/repositories/installations.ts';
import { ThreadsBusy } from '../threads/threads.ts';
import { realTiming } from '../timing.ts';
import {
  appKeyRefused,
  diskFull,
  type FailedEnd,
  findFailedEnd,
  githubUnavailable,
  internal,
  modelUnavailable,
  waitedTooLong,
} from './failures.ts';

const laterFaultRetryMs = 30_000;

const firstFaultRetryMs = 5_000;

const faultRetryMs = (interruptions: number) => (interruptions === 1 ? firstFaultRetryMs : laterFaultRetryMs);

/** The part of a `RunContext` that the end of an attempt needs. */
interface FailedAttempt {
  parts: Store;
  lease: Lease;
  run: Run;
  signals: { gone: AbortSignal };
  log: Log;
}

/** After an error, ends the run, lets it wait, or gives it to another worker. Retries until the database answers or `gone` aborts. Never throws. */
export async function resolveFailure(error: unknown, attempt: FailedAttempt): Promise<void> {
  const { parts, signals, log } = attempt;
  const classification = classifyError(error);
  if (classification.kind === 'fault') log.error({ err: error }, 'a run met an unexpected error');
  else if (error instanceof AppKeyRefused) log.error({ err: error }, 'GitHub refuses the key of the App');
  else log.info({ err: error, classification }, 'a run was interrupted');
  try {
    await retryUntilAvailable(parts.database, { signal: signals.gone }, (database) =>
      carryOut(classification, attempt, database),
    );
  } catch (failed) {
    if (!(failed instanceof LeaseLost)) log.error({ err: failed }, 'the end of an attempt could not be stored');
  }
}

async function carryOut(classification: Classification, attempt: FailedAttempt, database: Database): Promise<void> {
  const { lease, run, log } = attempt;
  // Without effect once another worker holds the job.
  if (classification.kind === 'give_back') return releaseLease(database, lease, classification);
  if (classification.kind === 'suspended') return waitForInstallation(attempt, database);
  await inLease(database, lease, async (tx) => {
    switch (classification.kind) {
      case 'end':
        return fail(attempt, tx, classification);
      case 'wait': {
        const waitedMs = await markRunWaiting(tx, run.run_id);
        if (waitedMs > realTiming.runs.longestWaitMs) return fail(attempt, tx, classification.ifTooLong);
        await tellWaiting(tx, run, classification.reason);
        return releaseLease(tx, lease, classification);
      }
      case 'wait_for_model': {
        const { detail } = classification;
        const outage = classifyModelOutage({ detail, ...(await markModelDown(tx, run.run_id)) });
        if (outage.kind === 'end') return fail(attempt, tx, outage);
        await tellWaiting(tx, run, `the model server gives no usable answer: ${detail}`);
        await releaseLease(tx, lease, outage);
        return log.warn({ detail, delayMs: outage.delayMs }, 'the model server gave no usable answer');
      }
      case 'fault': {
        const interruptions = await countInterruption(tx, run.run_id);
        if (interruptions >= maxInterruptions) return fail(attempt, tx, internal(run.run_id));
        return releaseLease(tx, lease, { delayMs: faultRetryMs(interruptions) });
      }
    }
  });
}

async function waitForInstallation({ lease, run }: FailedAttempt, database: Database): Promise<void> {
  // A worker that lost the job may have seen an outdated suspension.
  if ((await renewLease(database, lease)).kind === 'lost') return;
  await inLease(database, lease, (tx) => tellWaiting(tx, run, 'the App’s installation is suspended'));
  // A separate transaction, because readers of an installation lock it before its jobs. Claims wait until it is unsuspended.
  await suspendInstallationOf(database, lease.projectId);
  await releaseLease(database, lease, { delayMs: 0 });
}

async function fail({ parts, run, log }: FailedAttempt, tx: Tx, { code, sentence }: FailedEnd): Promise<void> {
  await failRun({ tx, queue: parts.queue }, run, { code, sentence });
  log.info({ code }, 'a run ended');
}

const longestModelOutageMs = 3600_000;

const longestModelRetryMs = 15 * 60_000;

const shortestModelRetryMs = 60_000;

/** Mostly a person makes room on a full disk, and each try may pay for an answer that cannot be stored. */
const noRoomRetryMs = 60_000;

/** A task takes 5 s at most. */
const busyThreadsRetryMs = 5_000;

const databaseRetryMs = 1_000;

const githubOutageRetryMs = 30_000;

type Classification =
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
