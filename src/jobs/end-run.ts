import { sendTogether } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import { type Job, lockJob, releaseJob } from '../store/tables/jobs/jobs.ts';
import {
  countWaitingMessages,
  finishMessages,
  listMessagesOfRun,
  listUnansweredMessages,
  type Message,
  releaseMessages,
} from '../store/tables/jobs/messages.ts';
import { findRun, type Run, type RunEnd } from '../store/tables/jobs/runs.ts';
import { answerConversations, answerFailure } from './answer-run.ts';
import { closeRun } from './job-events.ts';
import { notePreviewOfSettings } from './note-preview.ts';
import { transition } from './transition.ts';

/** Like `endRun`, for a run that published nothing. Its messages get an answer, or wait for the next run if the model has not seen them. */
export async function failRun(store: StoreTx, run: Run, why: { code: string; sentence: string }): Promise<Job> {
  const { tx } = store;
  const job = await lockJob(tx, run.job_id);
  // A stop drops all of the run's messages.
  const current = (await findRun(tx, run.run_id)) ?? run;
  if (!current.stop_requested) await releaseMessages(tx, await listUnansweredMessages(tx, run.run_id));
  await answerFailure(store, job, current, why.sentence);
  return endRun(store, run, { outcome: 'failed', ...why }, job);
}

/** In a transaction of the lease, which it ends. The job is due again at once if a message is waiting. `locked`: the job, if it is locked. */
export async function endRun(
  store: StoreTx,
  { run_id: runId, job_id: jobId }: Run,
  end: RunEnd,
  locked?: Job,
): Promise<Job> {
  const { tx } = store;
  const job = locked ?? (await lockJob(tx, jobId));
  const isAnswered = end.outcome === 'completed';
  const [finished, waiting, messages] = await sendTogether(tx, (tx) => [
    finishMessages(tx, runId, isAnswered ? { state: 'answered' } : { state: 'dropped', reason: end.code }),
    countWaitingMessages(tx, job.job_id),
    listMessagesOfRun(tx, runId),
  ]);
  const isMessageWaiting = waiting > 0;
  const status = transition(job.status, { kind: 'run-ended', outcome: end.outcome, isMessageWaiting });
  if (status === 'refused') throw new Error(`could not end ${runId}: ${job.job_id} is ${job.status}`);
  const run = await closeRun(store, { ...job, status }, runId, end, [
    ...(isAnswered && finished > 0 ? [{ type: 'message.answered', runId } as const] : []),
    ...(isAutomationUnchanged(messages, end) ? [{ type: 'automation.unchanged', runId } as const] : []),
  ]);
  await sendTogether(tx, (tx) => [
    answerConversations({ ...store, tx }, job, { run, end, messages }),
    notePreviewOfSettings({ ...store, tx }, job, end.commitSha),
  ]);
  return releaseJob(tx, job.job_id, { status, isDue: isMessageWaiting });
}

/** A run that nobody asked for, and that had nothing to do. */
const isAutomationUnchanged = (messages: readonly Message[], { code }: RunEnd): boolean =>
  code === 'unchanged' && messages.length > 0 && messages.every(({ source }) => source === 'automation');
