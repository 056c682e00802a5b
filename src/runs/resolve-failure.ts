import { LeaseLost } from '../errors.ts';
import { AppKeyRefused } from '../github/refusals/errors.ts';
import { failRun } from '../jobs/end-run.ts';
import type { Log } from '../log.ts';
import type { Tx } from '../store/postgres/database.ts';
import { retryUntilAvailable } from '../store/postgres/retry-until-available.ts';
import { inLease, type Lease, releaseLease, renewLease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { suspendInstallationOf } from '../store/tables/installations.ts';
import { countInterruption, markModelDown, markRunWaiting, type Run } from '../store/tables/runs.ts';
import { realTiming } from '../timing.ts';
import { type Classification, classifyError, classifyModelOutage, maxBreakOffs } from './classify-error.ts';
import type { FailedEnd } from './failures.ts';

/** A fault of ours may pass: the run is tried again soon, and after that later. */
const faultRetryMs = (breakOffs: number) =>
  breakOffs === 1 ? realTiming.runs.firstFaultRetryMs : realTiming.runs.laterFaultRetryMs;

/**
 * What becomes of a run whose work threw: it ends, waits, or is left to whoever holds it now. A lost database is waited for, until `gone`
 * aborts at the latest. Never throws.
 */
export async function resolveFailure(given: {
  store: Store;
  lease: Lease;
  run: Run;
  error: unknown;
  gone?: AbortSignal;
  log: Log;
}): Promise<void> {
  const { store, log, error, gone: signal = new AbortController().signal } = given;
  const judgement = classifyError(error);
  if (judgement.kind === 'fault') log.error({ err: error }, 'a run met an unexpected error');
  else if (error instanceof AppKeyRefused) log.error({ err: error }, 'GitHub refuses the key of the App');
  else log.info({ err: error, judgement }, 'a run was interrupted');
  const { queue } = store;
  try {
    await retryUntilAvailable(store.database, { signal }, (database) =>
      carryOut(judgement, { ...given, store: { database, queue } }),
    );
  } catch (failed) {
    if (!(failed instanceof LeaseLost)) log.error({ err: failed }, 'what became of a run could not be stored');
  }
}

async function carryOut(
  judgement: Classification,
  { store: { database, queue }, lease, run, log }: { store: Store; lease: Lease; run: Run; log: Log },
): Promise<void> {
  // Without effect when somebody else holds the job; a lease that only ran out is not taken over by whoever claims it next.
  if (judgement.kind === 'give_back') return releaseLease(database, lease, judgement);
  if (judgement.kind === 'suspended') {
    // What somebody learned who lost the job may be old.
    if ((await renewLease(database, lease)).kind === 'lost') return;
    // By itself: who reads an installation anew locks it before its jobs. Claims wait from now on until it is unsuspended.
    await suspendInstallationOf(database, lease.projectId);
    return releaseLease(database, lease, { delayMs: 0 });
  }
  await inLease(database, lease, async (tx) => {
    if (judgement.kind === 'end') await fail(tx, judgement);
    else if (judgement.kind === 'wait') {
      if ((await markRunWaiting(tx, run.run_id)) > realTiming.runs.longestWaitMs) await fail(tx, judgement.ifTooLong);
      else await releaseLease(tx, lease, judgement);
    } else if (judgement.kind === 'wait_for_model') {
      const outage = classifyModelOutage({ ...judgement, ...(await markModelDown(tx, run.run_id)) });
      if (outage.kind === 'end') return fail(tx, outage);
      await releaseLease(tx, lease, outage);
      log.warn({ detail: judgement.detail, delayMs: outage.delayMs }, 'the model server gave no usable answer');
    } else {
      const breakOffs = await countInterruption(tx, run.run_id);
      if (breakOffs >= maxBreakOffs) await fail(tx, internal(run));
      else await releaseLease(tx, lease, { delayMs: faultRetryMs(breakOffs) });
    }
  });

  async function fail(tx: Tx, { code, sentence }: FailedEnd) {
    await failRun({ tx, queue }, run, { code, sentence });
    log.info({ code }, 'a run ended');
  }
}

const internal = ({ run_id }: Run): FailedEnd => ({
  code: 'internal',
  sentence: `The run failed several times, for a reason that it does not know; the operator of the service finds it in the log under ${run_id}.`,
});
