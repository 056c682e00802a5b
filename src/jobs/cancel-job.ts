import { signalJob } from '../store/schedule/job-signals.ts';
import { inTransaction, type Store, type StoreTx } from '../store/store.ts';
import { isJobLeased, type Job, lockJob, makeJobDue, stopJob } from '../store/tables/jobs.ts';
import {
  countWaitingMessages,
  dropWaitingMessages,
  finishMessages,
  listOpenMessages,
  type Message,
  releaseMessages,
} from '../store/tables/messages.ts';
import { findOpenRun, insertRun, markRunEnded, type Run, updateRun } from '../store/tables/runs.ts';
import { tellDropped, tellFailure } from './tell-failure.ts';
import { transition } from './transition.ts';

export const cancelled = { code: 'cancelled', sentence: 'Stopped on request. Changes pushed before that are kept.' };

/**
 * Stops the job. The live run is told and ends `cancelled`; where nobody works on the job it fails at once. A run that already
 * publishes finishes, and what is pushed stays. A job that is not active stays as it is. Messages accepted before are dropped.
 */
export async function cancelJob(store: Store, jobId: string): Promise<Job> {
  return inTransaction(store, async (storeTx) => (await stopRun(storeTx, await lockJob(storeTx.tx, jobId))).job);
}

/**
 * `told`: the live run ends as soon as it hears of it. `publishing`: it finishes first. `ended`: nobody was at work. `overtaken`: all the
 * work was asked for after the stop was said, and goes on.
 */
export type Stopped =
  | { kind: 'idle' | 'overtaken'; job: Job }
  | { kind: 'told' | 'publishing' | 'ended'; job: Job; run: Run };

/** Like `cancelJob`, in a transaction that has locked the job. Messages written after `saidAt`, by GitHub's clock, are kept for the next run. */
export async function stopRun(store: StoreTx, job: Job, { saidAt }: { saidAt?: Date } = {}): Promise<Stopped> {
  const { tx, queue } = store;
  const { job_id: jobId } = job;
  if (job.status !== 'active') return { kind: 'idle', job };
  const asked = await listOpenMessages(tx, jobId);
  const meant = asked.filter((message) => saidAt === undefined || !isWrittenAfter(message, saidAt));
  const later = asked.filter((message) => !meant.includes(message));
  if (asked.length > 0 && meant.length === 0) return { kind: 'overtaken', job };
  const open = await findOpenRun(tx, jobId);
  const run = open ?? (await insertRun(tx, jobId));
  const dropped = await dropWaitingMessages(tx, { jobId, runId: run.run_id, reason: cancelled.code, among: meant });
  const isPublishing = run.phase === 'publishing';
  // What the run was handed of that ends with it; what was written afterwards does not.
  if (!isPublishing) await releaseMessages(tx, later);
  if (isPublishing || (open && (await isJobLeased(tx, jobId)))) {
    // A run that publishes finishes; if a person's push sends it back to the agent, it stops there.
    await updateRun(tx, run.run_id, { stop_requested: true });
    await signalJob(tx, jobId);
    // Its own answers are about what it did.
    if (isPublishing && dropped > 0) await tellDropped(store, job, run);
    return { kind: isPublishing ? 'publishing' : 'told', job, run };
  }
  await finishMessages(tx, run.run_id, { state: 'dropped', reason: cancelled.code });
  await tellFailure(store, job, run, cancelled.sentence);
  await markRunEnded(tx, run.run_id, { outcome: 'failed', ...cancelled });
  const isMessageWaiting = (await countWaitingMessages(tx, jobId)) > 0;
  const status = transition(job.status, { kind: 'cancel', isMessageWaiting });
  if (status === 'refused') throw new Error(`could not cancel ${jobId}, which is ${job.status}`);
  const stopped = await stopJob(tx, jobId, status);
  if (!isMessageWaiting) return { kind: 'ended', job: stopped, run };
  await queue.sendWakeUp(tx);
  return { kind: 'ended', job: await makeJobDue(tx, jobId, status), run };
}

/** What the API brings is dated by our clock, what people write by GitHub's: the two may differ by this. */
const clockSkewMs = 5 * 60_000;

/** Whether a message was written after that moment of GitHub's. Where that cannot be told, it was not: a stop must not go unheard. */
function isWrittenAfter({ written_at: writtenAt, context }: Message, moment: Date): boolean {
  return writtenAt.getTime() > moment.getTime() + (context ? 0 : clockSkewMs);
}
