import { RunFailure } from '../errors.ts';
import { archiveJob } from '../jobs/archive-job.ts';
import { endRun } from '../jobs/end-run.ts';
import type { Job } from '../store/jobs.ts';
import { inLease, type Lease } from '../store/lease.ts';
import type { Run } from '../store/runs.ts';
import { beginRun } from './begin-run.ts';
import { editDocs } from './edit-docs.ts';
import { type Conflict, freeze } from './freeze.ts';
import { openSite } from './open-site.ts';
import { publicationSchema } from './publication.ts';
import { publish } from './publish.ts';
import type { RunParts } from './run-parts.ts';
import { sendBack } from './send-back.ts';
import { settleRun } from './settle-run.ts';

/**
 * What the product does: takes the messages of one job, lets the agent edit the documentation, and publishes the change.
 * Never throws for what goes wrong with the run: that ends it, or gives it back to be tried again. Whoever calls this with a
 * later lease goes on where the last one stopped.
 */
export async function executeRun(parts: RunParts, lease: Lease, signal: AbortSignal): Promise<void> {
  const { database } = parts;
  const begun = await beginRun(database, lease);
  if (!begun) return;
  const log = parts.log.child({ jobId: lease.jobId, runId: begun.run.run_id, epoch: lease.epoch });
  log.info({ number: begun.run.number, isTakeover: lease.isTakeover }, 'a run starts');
  try {
    let run: Run | undefined = begun.run;
    while (run) run = await workOnce(parts, { lease, job: begun.job, run, signal });
  } catch (error) {
    await settleRun({ database, lease, run: begun.run, error: signal.aborted ? signal.reason : error, log });
  }
}

/** From the files to the pull request. Returns the run when a person's push sends it back to the agent, on new ground. */
async function workOnce(
  parts: RunParts,
  { lease, job, run, signal }: { lease: Lease; job: Job; run: Run; signal: AbortSignal },
): Promise<Run | undefined> {
  const { database } = parts;
  await using site = await openSite(parts, { lease, job, run, signal });
  const given = { lease, job, run, site, signal };
  const frozen =
    run.phase === 'publishing'
      ? { kind: 'frozen' as const, publication: publicationSchema.parse(run.publication) }
      : await freeze(parts, { ...given, end: await editDocs(parts, given) });
  const published = frozen.kind === 'conflict' ? frozen : await publish(parts, { ...given, ...frozen });

  if (published.kind === 'conflict') {
    const sentBack = await sendBack(parts, { ...given, conflict: published });
    if (!sentBack) throw conflictRemains(published);
    return sentBack;
  }
  await inLease(database, lease, async (tx) => {
    if (published.kind === 'closed') await archiveJob(tx, job.job_id, 'closed');
    else await endRun(tx, run, published.end);
  });
  const code = published.kind === 'closed' ? 'archived' : published.end.code;
  parts.log.info({ jobId: job.job_id, runId: run.run_id, code }, 'a run ended');
  return undefined;
}

const conflictRemains = ({ paths }: Conflict) =>
  new RunFailure(
    'conflict',
    `Somebody keeps pushing changes to the branch that do not fit this run’s: ${paths.join(', ')}. Send the instruction again when they are done.`,
  );
