import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { NamedPullRequest } from '../columns.ts';
import { hasRow } from '../rows.ts';
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

export const hasChanges = (tx: Database, messageId: string): Promise<boolean> =>
  hasRow(tx, 'message_changes', { message_id: messageId });

/** Lists the changes of these messages, in their order. */
export const listChanges = (tx: Database, messageIds: readonly string[]): Promise<NamedPullRequest[]> =>
  listChangesWhere(tx, sql`message_id = any(${messageIds})`);

/** Lists the changes of all messages that the job's runs received. */
export const listChangesOfJob = (tx: Database, jobId: string): Promise<NamedPullRequest[]> =>
  listChangesWhere(tx, sql`job_id = ${jobId} and run_id is not null`);

async function listChangesWhere(tx: Database, condition: RawBuilder<unknown>): Promise<NamedPullRequest[]> {
  const { rows } = await sql<{ data: NamedPullRequest }>`
    select data from message_changes join messages using (message_id) where ${condition}
    order by seq, position`.execute(tx);
  return rows.map(({ data }) => data);
}

type ImageFacts = Omit<Row<'message_images'>, 'content'>;

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
export async function listImageFacts(tx: Database, messageIds: readonly string[]): Promise<ImageFacts[]> {
  const { rows } = await sql<ImageFacts>`
    select message_id, position, address, media_type, problem from message_images
    where message_id = any(${messageIds}) order by position`.execute(tx);
  return rows;
}

/** What a request to the model carries, in the order of the turns: also what the model server refused, for it may say so again. */
export async function listImagesOfRun(tx: Database, runId: string): Promise<ImageOfRun[]> {
  const { rows } = await sql<ImageOfRun>`
    select message_id, turn_index, media_type, content from message_images join messages using (message_id)
    where run_id = ${runId} and content is not null order by seq, position`.execute(tx);
  return rows;
}

interface ImageOfRun {
  message_id: string;
  turn_index: number | null;
  media_type: string | null;
  content: Buffer | null;
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
