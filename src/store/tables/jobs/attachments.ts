import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { NamedPullRequest } from '../columns.ts';
import type { Row } from '../schema.ts';

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

type StoredImage = Row<'message_images'>;

/** Either `mediaType` and `content`, or `problem`. */
export interface NewImage {
  /** As the text of the message has it. */
  address?: string;
  mediaType?: string;
  content?: Uint8Array;
  problem?: string;
}

export async function insertImages(
  tx: Database,
  messageId: string,
  images: readonly NewImage[] = [],
  { from = 0 }: { from?: number } = {},
): Promise<void> {
  if (images.length === 0) return;
  const rows = images.map(({ address, mediaType, content, problem }, index) => ({
    message_id: messageId,
    position: from + index,
    address: address ?? null,
    media_type: mediaType ?? null,
    content: content ? Buffer.from(content) : null,
    problem: problem ?? null,
  }));
  await tx
    .insertInto('message_images')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Without their contents. */
export function listImageFacts(tx: Database, messageIds: readonly string[]): Promise<Omit<StoredImage, 'content'>[]> {
  return tx
    .selectFrom('message_images')
    .select(['message_id', 'position', 'address', 'media_type', 'problem'])
    .where('message_id', '=', sql<string>`any(${[...messageIds]})`)
    .orderBy('position')
    .execute();
}

/** What a request to the model carries, in the order of the turns: also what the model server refused, for it may say so again. */
export function listImagesOfRun(
  tx: Database,
  runId: string,
): Promise<{ message_id: string; turn_index: number | null; media_type: string | null; content: Buffer | null }[]> {
  return tx
    .selectFrom('message_images')
    .innerJoin('messages', 'messages.message_id', 'message_images.message_id')
    .select(['messages.message_id', 'turn_index', 'media_type', 'content'])
    .where('run_id', '=', runId)
    .where('content', 'is not', null)
    .orderBy('seq')
    .orderBy('position')
    .execute();
}

/** The model sees no image of the run. */
export async function refuseImages(
  tx: Database,
  { runId, problem }: { runId: string; problem: string },
): Promise<void> {
  await sql`
    update message_images set problem = ${problem} from messages
    where messages.message_id = message_images.message_id and run_id = ${runId} and problem is null`.execute(tx);
}

/** Drops the images of the run beyond the first `most`. */
export async function dropImagesBeyond(
  tx: Database,
  { runId, most, problem }: { runId: string; most: number; problem: string },
): Promise<void> {
  await sql`
    with extra as (
      select message_images.message_id, position from message_images
      join messages on messages.message_id = message_images.message_id
      where run_id = ${runId} and content is not null
      order by seq, position offset ${most}
    )
    update message_images set problem = ${problem}, content = null from extra
    where message_images.message_id = extra.message_id and message_images.position = extra.position`.execute(tx);
}
