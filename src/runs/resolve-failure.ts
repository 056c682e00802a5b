import { LeaseLost } from '../errors.ts';
import { AppKeyRefused } from '../github/refusals/errors.ts';
import { failRun } from '../jobs/end-run.ts';
import { tellWaiting } from '../jobs/job-events.ts';
import type { Log } from '../log.ts';
import type { Database, Tx } from '../store/postgres/database.ts';
import { retryUntilAvailable } from '../store/postgres/retry-until-available.ts';
import { inLease, type Lease, releaseLease, renewLease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { countInterruption, markModelDown, markRunWaiting, type Run } from '../store/tables/jobs/runs.ts';
import { suspendInstallationOf } from '../store/tables/repositories/installations.ts';
import { realTiming } from '../timing.ts';
import { type Classification, classifyError, classifyModelOutage, maxInterruptions } from './classify-error.ts';
import { type FailedEnd, internal } from './failures.ts';

const faultRetryMs = (interruptions: number) =>
  interruptions === 1 ? realTiming.runs.firstFaultRetryMs : realTiming.runs.laterFaultRetryMs;

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

async function carryOut(
  classification: Classification,
  { parts: { queue }, lease, run, log }: FailedAttempt,
  database: Database,
): Promise<void> {
  // Without effect once another worker holds the job.
  if (classification.kind === 'give_back') return releaseLease(database, lease, classification);
  if (classification.kind === 'suspended') {
    // A worker that lost the job may have seen an outdated suspension.
    if ((await renewLease(database, lease)).kind === 'lost') return;
    // A separate transaction, because readers of an installation lock it before its jobs. Claims wait until it is unsuspended.
    await suspendInstallationOf(database, lease.projectId);
    return releaseLease(database, lease, { delayMs: 0 });
  }
  await inLease(database, lease, async (tx) => {
    if (classification.kind === 'end') await fail(tx, classification);
    else if (classification.kind === 'wait') {
      if ((await markRunWaiting(tx, run.run_id)) > realTiming.runs.longestWaitMs)
        return fail(tx, classification.ifTooLong);
      await tellWaiting(tx, run, classification.reason);
      await releaseLease(tx, lease, classification);
    } else if (classification.kind === 'wait_for_model') {
      const outage = classifyModelOutage({ ...classification, ...(await markModelDown(tx, run.run_id)) });
      if (outage.kind === 'end') return fail(tx, outage);
      await tellWaiting(tx, run, `the model server gives no usable answer: ${classification.detail}`);
      await releaseLease(tx, lease, outage);
      log.warn({ detail: classification.detail, delayMs: outage.delayMs }, 'the model server gave no usable answer');
    } else {
      const interruptions = await countInterruption(tx, run.run_id);
      if (interruptions >= maxInterruptions) await fail(tx, internal(run.run_id));
      else await releaseLease(tx, lease, { delayMs: faultRetryMs(interruptions) });
    }
  });

  async function fail(tx: Tx, { code, sentence }: FailedEnd) {
    await failRun({ tx, queue }, run, { code, sentence });
    log.info({ code }, 'a run ended');
  }
}
