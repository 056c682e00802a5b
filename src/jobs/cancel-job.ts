import { signalJob } from '../store/schedule/workers.ts';
import { inTransaction, type Store, type StoreTx } from '../store/store.ts';
import { isJobLeased, type Job, lockJob, makeJobDue, stopJob } from '../store/tables/jobs/jobs.ts';
import {
  countWaitingMessages,
  dropWaitingMessages,
  finishMessages,
  listOpenMessages,
  type Message,
  releaseMessages,
} from '../store/tables/jobs/messages.ts';
import { findOpenRun, type Run, updateRun } from '../store/tables/jobs/runs.ts';
import { realTiming } from '../timing.ts';
import { answerDropped, answerFailure, stoppedWhilePublishing } from './answer-run.ts';
import { closeRun, startRun } from './job-events.ts';
import { transition } from './transition.ts';

export const cancelled = { code: 'cancelled', sentence: 'Stopped on request. Changes pushed before that are kept.' };

/** Drops the job's messages and ends its run, unless that is already publishing. Idempotent. */
export async function cancelJob(store: Store, jobId: string): Promise<Job> {
  return inTransaction(store, async (storeTx) => (await stopRun(storeTx, await lockJob(storeTx.tx, jobId))).job);
}

/** `overtaken`: all messages were written after the stop. `signalled`: the live run will end. `publishing`: it will finish publishing first. */
export type StopResult =
  | { kind: 'idle' | 'overtaken'; job: Job }
  | { kind: 'signalled' | 'ended'; job: Job; run: Run }
  | { kind: 'publishing'; job: Job; run: Run; dropped: readonly Message[] };

/** Like `cancelJob`, with the job locked. Keeps messages written after `writtenAt`, by GitHub's clock, for the next run. */
export async function stopRun(store: StoreTx, job: Job, { writtenAt }: { writtenAt?: Date } = {}): Promise<StopResult> {
  const { tx, queue } = store;
  const { job_id: jobId } = job;
  if (job.status !== 'active') return { kind: 'idle', job };
  const messages = await listOpenMessages(tx, jobId);
  const later = messages.filter((message) => writtenAt !== undefined && isWrittenAfter(message, writtenAt));
  const stopped = messages.filter((message) => !later.includes(message));
  if (later.length > 0 && stopped.length === 0) return { kind: 'overtaken', job };
  const open = await findOpenRun(tx, jobId);
  const run = open ?? (await startRun(tx, jobId));
  const isPublishing = run.phase === 'publishing';
  const reason = isPublishing ? stoppedWhilePublishing.reason : cancelled.code;
  const dropped = await dropWaitingMessages(tx, { jobId, runId: run.run_id, reason, among: stopped });
  if (!isPublishing) await releaseMessages(tx, later);
  if (isPublishing || (open && (await isJobLeased(tx, jobId)))) {
    // A publishing run stops only if a person's push sends it back to the agent.
    await updateRun(tx, run.run_id, { stop_requested: true });
    await signalJob(tx, jobId);
    if (!isPublishing) return { kind: 'signalled', job, run };
    await answerDropped(store, job, run, dropped);
    return { kind: 'publishing', job, run, dropped };
  }
  await finishMessages(tx, run.run_id, { state: 'dropped', reason: cancelled.code });
  await answerFailure(store, job, run, cancelled.sentence);
  const isMessageWaiting = (await countWaitingMessages(tx, jobId)) > 0;
  const status = transition(job.status, { kind: 'cancel', isMessageWaiting });
  await closeRun(store, { ...job, status }, run.run_id, { outcome: 'failed', ...cancelled });
  const stoppedJob = await stopJob(tx, jobId, status);
  if (!isMessageWaiting) return { kind: 'ended', job: stoppedJob, run };
  await queue.sendWakeUp(tx);
  return { kind: 'ended', job: await makeJobDue(tx, jobId, status), run };
}

/** Returns false in doubt, because ignoring a stop is worse. */
function isWrittenAfter({ written_at: writtenAt, context }: Message, moment: Date): boolean {
  // Messages of the API and of automations have our clock's time.
  const skewMs = context?.person ? 0 : realTiming.github.clockSkewMs;
  return writtenAt.getTime() > moment.getTime() + skewMs;
}
