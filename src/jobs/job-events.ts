import type { Tx } from '../store/postgres/database.ts';
import { countUsage } from '../store/tables/access/usage.ts';
import type { JobStatus } from '../store/tables/columns.ts';
import type { NewEvent } from '../store/tables/jobs/event-data.ts';
import { recordEvents } from '../store/tables/jobs/events.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Message } from '../store/tables/jobs/messages.ts';
import { insertRun, markRunEnded, type Run, type RunEnd } from '../store/tables/jobs/runs.ts';
import { bound } from '../text/bound.ts';

const maxTextLength = 4_000;

export const describeCreated = ({ base, model, draft }: Job): NewEvent => ({
  type: 'job.created',
  data: { ref: base, model, draft },
});

export const describeAccepted = ({ message_id: messageId, source, author, prompt }: Message): NewEvent => ({
  type: 'message.accepted',
  data: { messageId, source, author, text: bound(prompt, maxTextLength) },
});

export async function startRun(tx: Tx, jobId: string): Promise<Run> {
  const run = await insertRun(tx, jobId);
  await recordEvents(tx, jobId, [{ type: 'run.started', data: { runId: run.run_id, number: run.number } }]);
  return run;
}

/** Ends the run, counts what it used, and tells what becomes of the job. */
export async function endRunAs(tx: Tx, runId: string, end: RunEnd, status: JobStatus) {
  const run = await markRunEnded(tx, runId, end);
  const { outcome, code, sentence } = end;
  const events: NewEvent[] = [
    {
      type: 'run.ended',
      data: {
        runId,
        number: run.number,
        ...{ outcome, code, sentence },
        commit: run.commit_sha,
        tokensIn: run.tokens_in,
        tokensCached: run.tokens_cached,
        tokensOut: run.tokens_out,
      },
    },
  ];
  if (status === 'completed') events.push({ type: 'job.completed', data: { runId } });
  if (status === 'failed') events.push({ type: 'job.failed', data: { runId, code, sentence } });
  await recordEvents(tx, run.job_id, events);
  await countUsage(tx, runId);
}
