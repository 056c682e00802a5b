import type { Message } from '../store/tables/jobs/messages.ts';

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
