import { HandedOver, LeaseLost, Parked, RunFailure, StopRequested } from '../errors.ts';
import { AmbiguousWrite } from '../github/ambiguous-write.ts';
import { GitHubUnavailable } from '../github/github-unavailable.ts';
import { cancelled } from '../jobs/cancel-job.ts';
import { endRun, type RunEnd } from '../jobs/end-run.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import { giveBackLease, inLease, type Lease } from '../store/lease.ts';
import { type Run, updateRun } from '../store/runs.ts';

/** A fault of ours may pass: the run is tried again after these, and then ends. In milliseconds. */
const retryDelaysMs = [5_000, 30_000];
const outageRetryMs = 30_000;
/** A run that waits for an outage to end has waited long enough after this. */
const maxOutageMs = 24 * 3600_000;

/** What becomes of a run whose work threw: it ends, waits, or is left to whoever holds it now. */
export async function settleRun({
  database,
  lease,
  run,
  error,
  log,
}: {
  database: Database;
  lease: Lease;
  run: Run;
  error: unknown;
  log: Log;
}): Promise<void> {
  const end = async (how: Omit<RunEnd, 'outcome'>) => {
    await inLease(database, lease, (tx) => endRun(tx, run, { outcome: 'failed', ...how }));
    log.info({ code: how.code }, 'a run ended');
  };
  const giveBack = (delayMs: number) => giveBackLease(database, lease, new Date(Date.now() + delayMs));

  if (error instanceof StopRequested) await end(cancelled);
  else if (error instanceof RunFailure) await end({ code: error.code, sentence: error.message });
  else if (error instanceof HandedOver) await giveBack(0);
  else if (error instanceof Parked) {
    log.info({ until: error.until, reason: error.message }, 'the run waits');
    await giveBackLease(database, lease, error.until);
  } else if (error instanceof LeaseLost) {
    log.info({ reason: error.message }, 'the run was let go');
    // Without effect when somebody else holds the job; when only the database was away, nobody took it over.
    await giveBack(0);
  } else if (isOutage(error)) {
    log.warn({ err: error }, 'GitHub gives no answer; the run waits');
    if (Date.now() - run.started_at.getTime() > maxOutageMs) await end(unavailable);
    else await giveBack(outageRetryMs);
  } else {
    log.error({ err: error }, 'the run met an unexpected error');
    const { takeovers } = await inLease(database, lease, (tx) =>
      updateRun(tx, run.run_id, { takeovers: run.takeovers + 1 }),
    );
    const delayMs = retryDelaysMs[takeovers - 1];
    if (delayMs === undefined) await end(internal(run));
    else await giveBack(delayMs);
  }
}

const isOutage = (error: unknown) => error instanceof GitHubUnavailable || error instanceof AmbiguousWrite;

const unavailable = {
  code: 'github_unavailable',
  sentence: 'GitHub gave no answer for a day: send the instruction again when it is back.',
};

const internal = ({ run_id }: Run) => ({
  code: 'internal',
  sentence: `The run failed several times for a reason of the service’s own; its operator finds it in the log under ${run_id}.`,
});
