import { StopRequested } from '../errors.ts';
import { archiveJob } from '../jobs/archive-job.ts';
import { endRun } from '../jobs/end-run.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import { isStopDue } from '../store/tables/jobs/runs.ts';
import { beginRun } from './begin-run.ts';
import { openCheckout } from './prepare/open-checkout.ts';
import { findFrozen } from './publication.ts';
import { freeze } from './publish/freeze.ts';
import { type Published, publish } from './publish/publish.ts';
import { resolveFailure } from './resolve-failure.ts';
import { returnToAgent } from './return-to-agent.ts';
import { createRunContext, type RunContext, type RunParts, type RunSignals } from './run-context.ts';
import { editDocs } from './work/edit-docs.ts';

/**
 * Takes the messages of one job, lets the agent edit the documentation, and publishes the change. Continues an earlier attempt. An error
 * ends the run, or gives it back for another attempt. Throws only when the database is down at the start.
 */
export async function executeRun(parts: RunParts, lease: Lease, signals: RunSignals): Promise<void> {
  const { jobId } = lease;
  const begun = await parts.takeStep({ step: 'begin', jobId }, () => beginRun(parts, lease));
  if (begun.kind === 'nothing') return;
  const { run } = begun;
  if (begun.kind === 'given_up')
    return parts.log.info({ jobId, runId: run.run_id, epoch: lease.epoch, code: begun.code }, 'a run ended');
  const context = createRunContext(parts, { lease, job: begun.job, run, signals });
  context.log.info({ number: run.number, isTakeover: lease.isTakeover }, 'a run starts');
  try {
    let result: 'ended' | 'sent_back';
    do result = await attempt(context);
    while (result === 'sent_back');
  } catch (error) {
    await resolveFailure(signals.work.aborted ? signals.work.reason : error, context);
  }
}

/** `sent_back`: somebody changed the same files, so the agent must work on top of that change. */
async function attempt(context: RunContext): Promise<'ended' | 'sent_back'> {
  // A stop between two attempts: the run must end at once, even if GitHub is down.
  if (isStopDue(context.run)) throw new StopRequested();
  await using checkout = await openCheckout(context);
  const checkedOut = context.withCheckout(checkout);

  const frozen = findFrozen(context.run) ?? (await freeze(checkedOut, await editDocs(checkedOut)));
  if (frozen.kind === 'conflict') return await returnToAgent(checkedOut, frozen);
  const published = await publish(checkedOut, frozen);
  if (published.kind === 'conflict') return await returnToAgent(checkedOut, published);
  await end(context, published);
  return 'ended';
}

async function end({ parts, lease, run, log, takeStep }: RunContext, published: Published): Promise<void> {
  const { database, queue } = parts;
  await takeStep('end', () =>
    inLease(database, lease, async (tx, job) => {
      if (published.kind === 'published') await endRun({ tx, queue }, run, published.end, job);
      else await archiveJob({ tx, queue }, lease.jobId, published.kind);
    }),
  );
  const code = published.kind === 'published' ? published.end.code : 'archived';
  log.info({ code }, 'a run ended');
}
