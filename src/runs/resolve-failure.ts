import { LeaseLost } from '../errors.ts';
import { AppKeyRefused } from '../github/refusals/errors.ts';
import { failRun } from '../jobs/end-run.ts';
import { tellWaiting } from '../jobs/job-events.ts';
import type { Log } from '../log.ts';
import { retryUntilAvailable } from '../store/postgres/availability.ts';
import type { Database, Tx } from '../store/postgres/database.ts';
import { inLease, type Lease, releaseLease, renewLease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { countInterruption, markModelDown, markRunWaiting, type Run } from '../store/tables/jobs/runs.ts';
import { suspendInstallationOf } from '../store/tables/repositories/installations.ts';
import { realTiming } from '../timing.ts';
import { type Classification, classifyError, classifyModelOutage, maxInterruptions } from './classify-error.ts';
import { type FailedEnd, internal } from './failures.ts';

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
  const { lease } = attempt;
  switch (classification.kind) {
    case 'give_back':
      // Without effect once another worker holds the job.
      return releaseLease(database, lease, classification);
    case 'suspended':
      return waitForInstallation(attempt, database);
    default:
      return inLease(database, lease, (tx) => resolve(classification, attempt, tx));
  }
}

async function waitForInstallation({ lease, run }: FailedAttempt, database: Database): Promise<void> {
  // A worker that lost the job may have seen an outdated suspension.
  if ((await renewLease(database, lease)).kind === 'lost') return;
  await inLease(database, lease, (tx) => tellWaiting(tx, run, 'the App’s installation is suspended'));
  // A separate transaction, because readers of an installation lock it before its jobs. Claims wait until it is unsuspended.
  await suspendInstallationOf(database, lease.projectId);
  await releaseLease(database, lease, { delayMs: 0 });
}

async function resolve(
  classification: Exclude<Classification, { kind: 'give_back' | 'suspended' }>,
  attempt: FailedAttempt,
  tx: Tx,
): Promise<void> {
  const { lease, run, log } = attempt;
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
}

async function fail({ parts, run, log }: FailedAttempt, tx: Tx, { code, sentence }: FailedEnd): Promise<void> {
  await failRun({ tx, queue: parts.queue }, run, { code, sentence });
  log.info({ code }, 'a run ended');
}
