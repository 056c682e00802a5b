import { RunFailure, StopRequested } from '../errors.ts';
import { archiveJob } from '../jobs/archive-job.ts';
import { endRun } from '../jobs/end-run.ts';
import { inLease, type Lease } from '../store/lease.ts';
import type { Run } from '../store/runs.ts';
import { beginRun } from './begin-run.ts';
import { editDocs } from './edit-docs.ts';
import { type Conflict, freeze } from './freeze.ts';
import { openSite } from './open-site.ts';
import { publicationSchema } from './publication.ts';
import { publish } from './publish.ts';
import { readJobAnew } from './read-job-anew.ts';
import type { HeldRun, RunParts } from './run-parts.ts';
import { sendBack } from './send-back.ts';
import { settleRun } from './settle-run.ts';

/** For how long the holder may work. */
export interface Held {
  /** Ends the work: the run is stopped, handed over to another worker, or the lease is lost. */
  signal: AbortSignal;
  /** The same, but later when the run is handed over: an answer of the model that is under way is paid for, and waited for until then. */
  grace: AbortSignal;
  /** The lease is lost. What is being published goes on until then: half of it would be worse than a moment's delay. */
  lost: AbortSignal;
  /** The process is about to be gone: not even a database that is away is waited for any more. */
  gone: AbortSignal;
}

/**
 * What the product does: takes the messages of one job, lets the agent edit the documentation, and publishes the change.
 * What goes wrong with the run ends it, or gives it back to be tried again. Whoever calls this with a later lease goes on
 * where the last one stopped. Throws only when the database cannot be asked what there is to do.
 */
export async function executeRun(parts: RunParts, lease: Lease, held: Held): Promise<void> {
  const { jobId } = lease;
  const begun = await parts.around({ step: 'begin', jobId }, () => beginRun(parts, lease));
  if (!begun) return;
  const log = parts.log.child({ jobId, runId: begun.run.run_id, epoch: lease.epoch });
  log.info({ number: begun.run.number, isTakeover: lease.isTakeover }, 'a run starts');
  const given = { lease, held, ...begun };
  try {
    let run: Run | undefined = begun.run;
    while (run) run = await workOnce(parts, { ...given, run });
  } catch (thrown) {
    const error = held.signal.aborted ? held.signal.reason : thrown;
    await settleRun({ store: parts, lease, run: begun.run, error, gone: held.gone, log });
  }
}

/** From the files to the pull request. Returns the run when a person's push sends it back to the agent, on new ground. */
async function workOnce(parts: RunParts, { held, ...claimed }: HeldRun & { held: Held }): Promise<Run | undefined> {
  const given = await readJobAnew(parts, claimed);
  const { lease, job, run } = given;
  // Asked between two workers, or while it published. What it would have to wait for must not be tried first: it is due at once.
  if (run.phase === 'working' && run.stop_requested) throw new StopRequested('the run was asked to stop');
  await using site = await openSite(parts, { ...given, signal: held.signal });
  const working = { ...given, run: site.run, site, signal: held.signal };
  const frozen =
    run.phase === 'publishing'
      ? { kind: 'frozen' as const, publication: publicationSchema.parse(run.publication) }
      : await freeze(parts, { ...working, end: await editDocs(parts, { ...working, grace: held.grace }) });
  const publishing = { ...working, signal: held.lost };
  const published = frozen.kind === 'conflict' ? frozen : await publish(parts, { ...publishing, ...frozen });

  if (published.kind === 'conflict') {
    const sentBack = await sendBack(parts, { ...working, conflict: published });
    if (!sentBack) throw conflictRemains(published);
    return sentBack;
  }
  const end = () =>
    inLease(parts.database, lease, async (tx) => {
      if (published.kind === 'published') await endRun(tx, run, published.end);
      else await archiveJob({ tx, queue: parts.queue }, job.job_id, published.kind);
    });
  await parts.around({ step: 'end', jobId: job.job_id }, end);
  const code = published.kind === 'published' ? published.end.code : 'archived';
  parts.log.info({ jobId: job.job_id, runId: run.run_id, code }, 'a run ended');
  return undefined;
}

const conflictRemains = ({ paths }: Conflict) =>
  new RunFailure(
    'conflict',
    `Somebody keeps pushing changes to the branch that do not fit this run’s: ${paths.join(', ')}. Send the instruction again when they are done.`,
  );
