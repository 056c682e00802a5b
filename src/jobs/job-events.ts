import { announce } from '../outbound/announce.ts';
import type { Tx } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import type { NewEvent } from '../store/tables/jobs/event-data.ts';
import { recordEvents, toldReason } from '../store/tables/jobs/events.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Message } from '../store/tables/jobs/messages.ts';
import { insertRun, markRunEnded, type Run, type RunEnd } from '../store/tables/jobs/runs.ts';
import { countUsage } from '../store/tables/usage/usage.ts';
import { bound } from '../text/bound.ts';

const maxTextLength = 4_000;

export const describeCreated = ({ base, model, draft }: Pick<Job, 'base' | 'model' | 'draft'>): NewEvent => ({
  type: 'job.created',
  data: { ref: base, model, draft },
});

export const describeAccepted = ({
  messageId,
  source,
  author,
  prompt,
}: Pick<Message, 'source' | 'author' | 'prompt'> & { messageId: string }): NewEvent => ({
  type: 'message.accepted',
  data: { messageId, source, author, text: bound(prompt, maxTextLength) },
});

export async function startRun(tx: Tx, jobId: string): Promise<Run> {
  const run = await insertRun(tx, jobId);
  await recordEvents(tx, jobId, [{ type: 'run.started', data: { runId: run.run_id, number: run.number } }]);
  return run;
}

/** Tells once why a run waits, however often it is tried again. */
export async function tellWaiting(tx: Tx, { run_id: runId, job_id: jobId }: Run, cause: string): Promise<void> {
  const reason = bound(cause, maxTextLength);
  const told = await tx
    .selectFrom('runs')
    .select(toldReason.as('reason'))
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (told?.reason === reason) return;
  await recordEvents(tx, jobId, [{ type: 'run.waiting', data: { runId, reason } }]);
}

export interface EndedRun {
  run: Run;
  end: RunEnd;
}

/** Ends the run and counts what it used. `recordEnd` has to follow. */
export async function closeRun(tx: Tx, runId: string, end: RunEnd): Promise<EndedRun> {
  const run = await markRunEnded(tx, runId, end);
  await countUsage(tx, runId);
  return { run, end };
}

/**
 * Records events and webhook deliveries for the end of a run and the job's new status, in the same transaction. Call it with the job as it will
 * be, locked. `ended`: undefined for a job that was archived without a live run; `lastRunId` is its last one.
 */
export async function recordEnd(
  store: StoreTx,
  job: Job,
  {
    ended,
    lastRunId = ended?.run.run_id ?? null,
    hasAnswered = false,
  }: { ended: EndedRun | undefined; lastRunId?: string | null; hasAnswered?: boolean },
): Promise<void> {
  const events = ended ? [describeRunEnd(ended), ...describeJobEnd(job, ended)] : [];
  if (job.status === 'archived')
    events.push({ type: 'job.archived', data: { reason: job.archive_reason ?? 'requested' } });
  await recordEvents(store.tx, job.job_id, events);
  await announce(store, job, [
    ...(hasAnswered ? [{ type: 'message.answered' as const, runId: lastRunId }] : []),
    ...(job.status === 'active' ? [] : [{ type: `job.${job.status}` as const, runId: lastRunId }]),
  ]);
}

const describeRunEnd = ({ run, end: { outcome, code, sentence } }: EndedRun): NewEvent => ({
  type: 'run.ended',
  data: {
    runId: run.run_id,
    number: run.number,
    outcome,
    code,
    sentence,
    commit: run.commit_sha,
    tokensIn: run.tokens_in,
    tokensCached: run.tokens_cached,
    tokensOut: run.tokens_out,
  },
});

function describeJobEnd({ status }: Job, { run: { run_id: runId }, end: { code, sentence } }: EndedRun): NewEvent[] {
  if (status === 'completed') return [{ type: 'job.completed', data: { runId } }];
  if (status === 'failed') return [{ type: 'job.failed', data: { runId, code, sentence } }];
  return [];
}
