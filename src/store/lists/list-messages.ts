import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { Message } from '../tables/jobs/messages.ts';
import { cutPage, type ListPage, type PageRequest, rowsToRead } from './page.ts';

/** A message, with the sentence, summary and replies of the run that took it, once that run has ended. */
export type ListedMessage = Message & {
  sentence: string | null;
  summary: string | null;
  replies: unknown;
};

/** Newest first. */
export async function listMessagesOfJob(
  database: Database,
  jobId: string,
  page: PageRequest<number>,
): Promise<ListPage<ListedMessage, number>> {
  const rows = await database
    .selectFrom('messages')
    .leftJoin('runs', (join) => join.onRef('runs.run_id', '=', 'messages.run_id').on('runs.phase', '=', 'ended'))
    .selectAll('messages')
    .select([
      'runs.sentence',
      sql<string | null>`publication ->> 'summary'`.as('summary'),
      sql<unknown>`publication -> 'replies'`.as('replies'),
    ])
    .where('messages.job_id', '=', jobId)
    .$if(page.after !== undefined, (messages) => messages.where('seq', '<', page.after ?? 0))
    .orderBy('seq', 'desc')
    .limit(rowsToRead(page))
    .execute();
  return cutPage(rows, page, ({ seq }) => seq);
}
