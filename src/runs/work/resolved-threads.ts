import type { Finished } from '../../agent/run-agent.ts';
import { askGitHub } from '../../projects/ask-github.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { type Message, updateMessageContext } from '../../store/tables/jobs/messages.ts';
import { openRunAccess, requireProject } from '../prepare/job-access.ts';
import type { RunContext } from '../run-context.ts';

/**
 * Marks the threads that somebody resolved while their message waited: the agent gets nothing of them, and nobody gets a reply there. Where
 * GitHub does not answer, none is marked. Returns the end of a run whose messages have nothing else.
 */
export async function markResolvedThreads(
  context: RunContext,
  next: readonly Message[],
): Promise<Finished | undefined> {
  const { parts, lease, job, run, signals } = context;
  const { database } = parts;
  const { pull_request_number: number } = job;
  if (number === null || !next.some(({ context: told }) => (told?.review?.threads.length ?? 0) > 0)) return undefined;
  const asked = await askGitHub(async () => {
    const project = await requireProject(context);
    await using access = await openRunAccess(context, project, { pull_requests: 'read' }, signals.work);
    return await access.client.listResolvedThreads(number);
  });
  if (asked.kind !== 'answered') return undefined;
  const marked = next.map((message) => markResolved(message, asked.result));
  await inLease(database, lease, async (tx) => {
    for (const [index, { message_id: messageId, context: told }] of marked.entries())
      if (told && told !== next[index]?.context) await updateMessageContext(tx, messageId, told);
  });
  const isOver = run.number > 1 && marked.every(hasNothingLeft);
  return isOver ? { kind: 'finished', summary: nothingLeft, replies: [] } : undefined;
}

const nothingLeft = 'The threads of this review were resolved before the work began, so nothing changed.';

function hasNothingLeft({ context }: Message): boolean {
  const review = context?.review;
  return review !== undefined && review.body === '' && review.threads.every(({ isResolved }) => isResolved);
}

/** Marks the threads of a review whose first comments are in `resolved`. Returns the same message where nothing changes. */
export function markResolved(message: Message, resolved: ReadonlySet<number>): Message {
  const { context } = message;
  const review = context?.review;
  if (!review?.threads.some(({ rootId, isResolved }) => !isResolved && resolved.has(rootId))) return message;
  const threads = review.threads.map((thread) =>
    resolved.has(thread.rootId) ? { ...thread, isResolved: true } : thread,
  );
  return { ...message, context: { ...context, review: { ...review, threads } } };
}
