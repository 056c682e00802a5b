import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { NamedPullRequest } from './named-pull-request.ts';

export async function insertChanges(
  tx: Database,
  messageId: string,
  changes: readonly NamedPullRequest[] = [],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change, position) => ({ message_id: messageId, position, data: JSON.stringify(change) }));
  await tx.insertInto('message_changes').values(rows).execute();
}

export async function hasChanges(tx: Database, messageId: string): Promise<boolean> {
  const first = tx.selectFrom('message_changes').select('position').where('message_id', '=', messageId).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

/** Lists the changes of these messages, in their order. */
export async function listChanges(tx: Database, messageIds: readonly string[]): Promise<NamedPullRequest[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx
    .selectFrom('message_changes')
    .innerJoin('messages', 'messages.message_id', 'message_changes.message_id')
    .select('data')
    .where('message_changes.message_id', '=', sql<string>`any(${[...messageIds]})`)
    .orderBy('seq')
    .orderBy('position')
    .execute();
  return rows.map(({ data }) => data);
}

/** Lists the changes of all messages that the job's runs received. */
export async function listChangesOfJob(tx: Database, jobId: string): Promise<NamedPullRequest[]> {
  const rows = await tx
    .selectFrom('message_changes')
    .innerJoin('messages', 'messages.message_id', 'message_changes.message_id')
    .select('data')
    .where('job_id', '=', jobId)
    .where('run_id', 'is not', null)
    .orderBy('seq')
    .orderBy('position')
    .execute();
  return rows.map(({ data }) => data);
}
