import { inTransaction, type Store, type StoreTx } from '../store/store.ts';
import { type Job, lockJob, makeJobDue } from '../store/tables/jobs.ts';
import { appendMessage, countWaitingMessages, findMessageBySource, type NewMessage } from '../store/tables/messages.ts';
import { lockProject } from '../store/tables/projects.ts';
import { countRequest, type RateState } from '../store/tables/rate-counters.ts';
import { transition } from './transition.ts';

export type AddMessageResult =
  | { kind: 'accepted'; job: Job; rate: RateState | null }
  | { kind: 'archived' }
  | { kind: 'too_many_waiting' }
  | { kind: 'rate_limited'; rate: RateState }
  | { kind: 'project_gone' };

/** More than this many unanswered instructions help nobody: the caller is told to wait. */
export const maxWaitingMessages = 20;

/** `rateLimit` is per project and hour; 0: no limit. */
export type MessageRequest = NewMessage & { projectId: string; rateLimit: number };

/**
 * Accepts a follow-up in whatever state the job is. A live run is handed it at its next turn, else the next run answers it.
 * One that came before, by its `sourceKey`, is accepted again and changes nothing.
 */
export function addMessage(store: Store, request: MessageRequest): Promise<AddMessageResult> {
  return inTransaction(store, (storeTx) => acceptMessage(storeTx, request));
}

/** The same in the caller's transaction. */
export async function acceptMessage(
  { tx, queue }: StoreTx,
  { projectId, rateLimit, ...message }: MessageRequest,
): Promise<AddMessageResult> {
  if (!(await lockProject(tx, projectId))) return { kind: 'project_gone' };
  const job = await lockJob(tx, message.jobId);
  const { jobId, sourceKey } = message;
  const isKnown = sourceKey !== undefined && (await findMessageBySource(tx, { jobId, sourceKey }));
  if (isKnown) return { kind: 'accepted', job, rate: null };
  const status = transition(job.status, { kind: 'message' });
  if (status === 'refused') return { kind: 'archived' };
  if ((await countWaitingMessages(tx, job.job_id)) >= maxWaitingMessages) return { kind: 'too_many_waiting' };
  const rate = rateLimit > 0 ? await countRequest(tx, { projectId, limit: rateLimit }) : null;
  if (rate && !rate.isAllowed) return { kind: 'rate_limited', rate };
  await appendMessage(tx, message);
  const accepted = await makeJobDue(tx, job.job_id, status);
  await queue.sendWakeUp(tx);
  return { kind: 'accepted', job: accepted, rate };
}
