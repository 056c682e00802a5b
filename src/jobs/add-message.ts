import { sendTogether } from '../store/postgres/database.ts';
import { inTransaction, type Store, type StoreTx } from '../store/store.ts';
import { recordEvents } from '../store/tables/jobs/events.ts';
import { type Job, lockJob, makeJobDue } from '../store/tables/jobs/jobs.ts';
import {
  appendMessage,
  countWaitingMessages,
  findMessageBySource,
  type Message,
  type NewMessage,
} from '../store/tables/jobs/messages.ts';
import { lockProject } from '../store/tables/repositories/projects.ts';
import type { RateState } from '../store/tables/usage.ts';
import { countAgainstLimits, type LimitReached, type ProjectLimits } from './count-against-limits.ts';
import { describeAccepted, describeStarted } from './job-events.ts';
import { transition } from './transition.ts';

type AcceptMessageResult =
  | { kind: 'accepted'; job: Job; message: Message; rate: RateState | null }
  | { kind: 'archived' }
  | { kind: 'too_many_waiting' }
  | LimitReached;
export type AddMessageResult = AcceptMessageResult | { kind: 'project_gone' };

export const maxWaitingMessages = 20;

/** A live run receives the message at its next turn; otherwise the next run answers it. Idempotent by `sourceKey`. */
export function addMessage(
  store: Store,
  { projectId, rateLimit, tokensPerMonth, ...message }: NewMessage & ProjectLimits & { projectId: string },
): Promise<AddMessageResult> {
  return inTransaction(store, async (storeTx) => {
    if (!(await lockProject(storeTx.tx, projectId))) return { kind: 'project_gone' };
    const job = await lockJob(storeTx.tx, message.jobId);
    return acceptMessage(storeTx, job, message, { rateLimit, tokensPerMonth });
  });
}

/** Like `addMessage`, in a transaction that has locked the project and the job. */
export async function acceptMessage(
  { tx, queue }: StoreTx,
  job: Job,
  message: NewMessage,
  limits: ProjectLimits,
): Promise<AcceptMessageResult> {
  const { jobId, sourceKey } = message;
  const earlier = sourceKey === undefined ? undefined : await findMessageBySource(tx, { jobId, sourceKey });
  if (earlier) return { kind: 'accepted', job, message: earlier, rate: null };
  const status = transition(job.status, { kind: 'message' });
  if (status === 'refused') return { kind: 'archived' };
  if ((await countWaitingMessages(tx, jobId)) >= maxWaitingMessages) return { kind: 'too_many_waiting' };
  const counted = await countAgainstLimits({ tx }, job.project_id, limits);
  if (counted.kind !== 'within') return counted;
  const appended = await appendMessage(tx, message);
  const told = { ...message, messageId: appended.message_id };
  const [, due] = await sendTogether(tx, (tx) => [
    recordEvents(tx, jobId, [describeAccepted(told), ...describeStarted(told)]),
    makeJobDue(tx, jobId, status),
    queue.sendWakeUp(tx),
  ]);
  return { kind: 'accepted', job: due, message: appended, rate: counted.rate };
}
