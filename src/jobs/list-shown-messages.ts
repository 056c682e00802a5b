import { z } from 'zod';
import { threadId } from '../effects/run-answers.ts';
import { type ListedMessage, listMessagesOfJob } from '../store/lists/list-messages.ts';
import type { ListPage, PageRequest } from '../store/lists/page.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Message } from '../store/tables/jobs/messages.ts';

export interface AnsweredMessage {
  message: Message;
  /** The answer of the run that took it; null: it has not ended, or no run took it. */
  answer: string | null;
}

/** Newest first. */
export async function listShownMessages(
  database: Database,
  jobId: string,
  page: PageRequest<number>,
): Promise<ListPage<AnsweredMessage, number>> {
  const { items, next } = await listMessagesOfJob(database, jobId, page);
  return { items: items.map((message) => ({ message, answer: findAnswer(message) })), next };
}

const repliesShape = z.array(z.object({ message: z.string(), text: z.string() }));

/** The replies to the message and to its review threads; without one, the summary of the run, or why it failed. */
function findAnswer({ state, message_id: messageId, context, ...run }: ListedMessage): string | null {
  if (state !== 'answered') return run.sentence;
  const threads = (context?.review?.threads ?? []).map(({ rootId }) => threadId(rootId));
  const names = [messageId, ...threads];
  const replies = repliesShape.parse(run.replies ?? []).filter(({ message }) => names.includes(message));
  return replies.length > 0 ? replies.map(({ text }) => text).join('\n\n') : (run.summary ?? run.sentence);
}
