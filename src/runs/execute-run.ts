import { StopRequested } from '../errors.ts';
import { archiveJob } from '../jobs/archive-job.ts';
import { endRun } from '../jobs/end-run.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import { mustStop, type Run } from '../store/tables/runs.ts';
import { beginRun } from './begin-run.ts';
import { RunFailure } from './failures.ts';
import { openCheckout } from './prepare/open-checkout.ts';
import { type Conflict, freeze } from './publish/freeze.ts';
import { publicationSchema } from './publish/publication.ts';
import { publish } from './publish/publish.ts';
import { readJobAnew } from './read-job-anew.ts';
import { resolveFailure } from './resolve-failure.ts';
import type { HeldRun, RunParts } from './run-parts.ts';
import type { RunSignals } from './run-signals.ts';
import { sendBack } from './send-back.ts';
import { editDocs } from './work/edit-docs.ts';

/**
 * What the product does: takes the messages of one job, lets the agent edit the documentation, and publishes the change.
 * What goes wrong with the run ends it, or gives it back to be tried again. Whoever calls this with a later lease goes on
 * where the last one stopped. Throws only when the database cannot be asked what there is to do.
 */
export async function executeRun(parts: RunParts, lease: Lease, signals: RunSignals): Promise<void> {
  const { jobId } = lease;
  const begun = await parts.takeStep({ step: 'begin', jobId }, () => beginRun(parts, lease));
  if (begun.kind === 'nothing') return;
  const log = parts.log.child({ jobId, runId: begun.run.run_id, epoch: lease.epoch });
  if (begun.kind === 'given_up') return log.info({ code: begun.code }, 'a run ended');
  log.info({ number: begun.run.number, isTakeover: lease.isTakeover }, 'a run starts');
  const { job } = begun;
  try {
    let run: Run | undefined = begun.run;
    while (run) run = await workOnce(parts, { lease, signals, job, run });
  } catch (thrown) {
    const { signal, gone } = signals;
    const error = signal.aborted ? signal.reason : thrown;
    await resolveFailure({ store: parts, lease, run: begun.run, error, gone, log });
  }
}

/** From the files to the pull request. Returns the run when a person's push sends it back to the agent, on new ground. */
async function workOnce(
  parts: RunParts,
  { signals, ...claimed }: HeldRun & { signals: RunSignals },
): Promise<Run | undefined> {
  const { signal, grace, lost } = signals;
  const given = await readJobAnew(parts, claimed);
  const { lease, job, run } = given;
  // Asked between two workers, or while it published. What it would have to wait for must not be tried first: it is due at once.
  if (mustStop(run)) throw new StopRequested('the run was asked to stop');
  await using site = await openCheckout(parts, { ...given, signal });
  const working = { ...given, run: site.run, site, signal };
  const frozen =
    run.phase === 'publishing'
      ? { kind: 'frozen' as const, publication: publicationSchema.parse(run.publication) }
      : await freeze(parts, { ...working, end: await editDocs(parts, { ...working, grace }) });
  const publishing = { ...working, signal: lost };
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
  await parts.takeStep({ step: 'end', jobId: job.job_id }, end);
  const code = published.kind === 'published' ? published.end.code : 'archived';
  parts.log.info({ jobId: job.job_id, runId: run.run_id, code }, 'a run ended');
  return undefined;
}

const conflictRemains = ({ paths }: Conflict) =>
  new RunFailure(
    'conflict',
    `Other pushes to the branch keep conflicting with this run in ${paths.join(', ')}. Send the instruction again when they are done.`,
  );
