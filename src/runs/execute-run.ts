import { StopRequested } from '../errors.ts';
import { isContained } from '../git/commits.ts';
import { listChangedPaths } from '../git/diffs.ts';
import { archiveJob } from '../jobs/archive-job.ts';
import { endRun, failRun } from '../jobs/end-run.ts';
import { startRun } from '../jobs/job-events.ts';
import { sendTogether } from '../store/postgres/database.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { type Job, releaseJob } from '../store/tables/jobs/jobs.ts';
import { countWaitingMessages, takeMessages } from '../store/tables/jobs/messages.ts';
import { countInterruption, findOpenRun, isStopDue, type Run, updateRun } from '../store/tables/jobs/runs.ts';
import { readWrites, storeWrites } from '../store/tables/jobs/turns.ts';
import { crashed, RunFailure } from './failures.ts';
import { writeConflict } from './notices.ts';
import { prepareBase } from './prepare/base-commit.ts';
import { openCheckout } from './prepare/open-checkout.ts';
import { type Conflict, findFrozen, readPublication } from './publication.ts';
import { mayReturnToAgent } from './publish/find-base-conflict.ts';
import { freeze } from './publish/freeze.ts';
import { type Published, publish } from './publish/publish.ts';
import { maxInterruptions, resolveFailure } from './resolve-failure.ts';
import {
  type CheckedOutRun,
  createRunContext,
  inMirror,
  type RunContext,
  type RunParts,
  type RunSignals,
} from './run-context.ts';
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

/** `given_up`: the run ended with this code. `nothing`: no message waits. Both release the lease. */
type Begun = { kind: 'begun'; job: Job; run: Run } | { kind: 'given_up'; run: Run; code: string } | { kind: 'nothing' };

/** Continues the open run of a claimed job, or starts one with the waiting messages. A run in a crash loop ends. */
export function beginRun({ database, queue }: Store, lease: Lease): Promise<Begun> {
  return inLease(database, lease, async (tx, job) => {
    const [open, waiting] = await sendTogether(tx, (tx) => [
      findOpenRun(tx, lease.jobId),
      countWaitingMessages(tx, lease.jobId),
    ]);
    if (open && lease.isTakeover && (await countInterruption(tx, open.run_id)) >= maxInterruptions) {
      const end = crashed(maxInterruptions, open.run_id);
      await failRun({ tx, queue }, open, end);
      return { kind: 'given_up', run: open, code: end.code };
    }
    if (open) return { kind: 'begun', job, run: open };
    if (waiting === 0) {
      await releaseJob(tx, lease.jobId, { status: job.status, isDue: false });
      return { kind: 'nothing' };
    }
    const run = await startRun(tx, lease.jobId);
    await takeMessages(tx, { jobId: lease.jobId, runId: run.run_id, turnIndex: 0 });
    return { kind: 'begun', job, run };
  });
}

/**
 * Returns the run to the agent on a new base: the pushed tip, or the branch with its target merged in. Keeps only the writes to files that
 * nobody else changed. Throws `RunFailure` `conflict` the second time.
 */
async function returnToAgent(context: CheckedOutRun, conflict: Conflict): Promise<'sent_back'> {
  const { parts, lease, run, checkout, signals } = context;
  if (!mayReturnToAgent(run)) throw conflictRemains(conflict);
  const { git, database } = parts;
  const { mirror, writeRules } = checkout;
  const { tip, mergedBaseSha } = conflict;
  const signal = signals.work;
  const at = inMirror(context, signal);
  // The person who pushed may have merged the target as well.
  const isMerged = mergedBaseSha !== null && (await isContained({ ...at, sha: mergedBaseSha, tip }));
  const moved = { base_sha: tip, merged_base_sha: isMerged ? null : mergedBaseSha };
  const base = await prepareBase({ git, mirror, writeRules, signal }, { run_id: run.run_id, ...moved });
  const theirs = await listChangedPaths({ ...at, from: checkout.base.filesSha, to: base.filesSha });
  const touched = new Set([...theirs, ...conflict.paths]);
  context.run = await inLease(database, lease, async (tx) => {
    const open = (await findOpenRun(tx, lease.jobId)) ?? run;
    const frozen = readPublication(open)?.warnings ?? [];
    const stored = await readWrites(tx, run.run_id);
    const kept = [...stored].filter(([path]) => !touched.has(path));
    const lost = [...stored.keys()].filter((path) => touched.has(path));
    await storeWrites(tx, run.run_id, { stored, writes: new Map(kept) });
    return updateRun(tx, run.run_id, {
      phase: 'working',
      publication: null,
      // Warnings about the dropped change may not hold for the next one.
      warnings: JSON.stringify(open.warnings.filter((warning) => !frozen.includes(warning))),
      ...moved,
      rebases: run.rebases + 1,
      notice: writeConflict({ lost, kept: kept.map(([path]) => path), conflicts: base.conflicts }),
    });
  });
  await context.reload();
  return 'sent_back';
}

const conflictRemains = ({ paths }: Conflict) =>
  new RunFailure(
    'conflict',
    `Other pushes to the branch keep conflicting with this run in ${paths.join(', ')}. Send the instruction again when they are done.`,
  );
