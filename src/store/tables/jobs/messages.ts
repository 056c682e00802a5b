import { sql } from 'kysely';
import { createId } from '../../../create-id.ts';
import type { Database } from '../../postgres/database.ts';
import type { MessageContext, MessageSource, NamedPullRequest } from '../columns.ts';
import { changeRows, findRow, listRows } from '../rows.ts';
import type { Row } from '../schema.ts';
import { insertChanges, insertImages, type NewImage } from './attachments.ts';
import { updateJob } from './jobs.ts';

export type Message = Row<'messages'>;

/** What somebody sends, for a new job or for one that exists. */
export interface MessageContent {
  source: MessageSource;
  /** Identifies the message if it arrives twice; without it every message is new. */
  sourceKey?: string;
  /** The name of an API key or of an automation, or a login. */
  author: string;
  context?: MessageContext;
  prompt: string;
  /** Pull requests that go with it, as they are now. */
  changes?: readonly NamedPullRequest[];
  /** Images that were sent with it. */
  images?: readonly NewImage[];
  deliveryId?: string;
  keyId?: string;
  /** By the clock of its source; default: now. */
  writtenAt?: Date;
}

export interface NewMessage extends MessageContent {
  jobId: string;
}

/** The caller must hold the lock of the job. */
export async function appendMessage(tx: Database, message: NewMessage): Promise<Message> {
  const { next_seq: nextSeq } = await updateJob(tx, message.jobId, { next_seq: sql`next_seq + 1` });
  const messageId = createId('msg');
  const appended = await tx
    .insertInto('messages')
    .values({
      message_id: messageId,
      job_id: message.jobId,
      seq: nextSeq - 1,
      source: message.source,
      source_key: message.sourceKey ?? messageId,
      author: message.author,
      prompt: message.prompt,
      ...(message.writtenAt && { written_at: message.writtenAt }),
      delivery_id: message.deliveryId ?? null,
      key_id: message.keyId ?? null,
      context: message.context ? JSON.stringify(message.context) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertChanges(tx, messageId, message.changes);
  await insertImages(tx, messageId, message.images);
  return appended;
}

export async function updateMessageContext(tx: Database, messageId: string, context: MessageContext): Promise<void> {
  await changeRows(tx, 'messages', { message_id: messageId }, { context: JSON.stringify(context) });
}

export const findMessageBySource = (
  tx: Database,
  { jobId, sourceKey }: { jobId: string; sourceKey: string },
): Promise<Message | undefined> => findRow(tx, 'messages', { job_id: jobId, source_key: sourceKey });

export async function countWaitingMessages(tx: Database, jobId: string): Promise<number> {
  const { rows } = await sql`select from messages where job_id = ${jobId} and state = 'waiting'`.execute(tx);
  return rows.length;
}

/** Takes all waiting messages. Returns those of the turn, in order, with those that it had before. */
export async function takeMessages(
  tx: Database,
  { jobId, runId, turnIndex }: { jobId: string; runId: string; turnIndex: number },
): Promise<Message[]> {
  const ofTurn = { state: 'taken', run_id: runId, turn_index: turnIndex } as const;
  const messages = await tx
    .updateTable('messages')
    .set(ofTurn)
    .where('job_id', '=', jobId)
    .where(({ or, and, eb }) => or([eb('state', '=', 'waiting'), and(ofTurn)]))
    .returningAll()
    .execute();
  return messages.toSorted((one, other) => one.seq - other.seq);
}

export async function releaseMessages(tx: Database, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const released = { state: 'waiting', run_id: null, turn_index: null } as const;
  await changeRows(tx, 'messages', { state: 'taken' }, released, isAmong(messages));
}

const isAmong = (messages: readonly Message[]) =>
  sql<boolean>`message_id = any(${messages.map((message) => message.message_id)})`;

/** Drops all waiting messages, or those in `among`. Returns them, in order. */
export async function dropWaitingMessages(
  tx: Database,
  { jobId, runId, reason, among }: { jobId: string; runId: string; reason: string; among?: readonly Message[] },
): Promise<Message[]> {
  const { rows } = await sql<Message>`
    update messages set state = 'dropped', reason = ${reason}, run_id = ${runId}
    where job_id = ${jobId} and state = 'waiting' and ${among ? isAmong(among) : sql`true`}
    returning *`.execute(tx);
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** Returns their number. */
export const finishMessages = (
  tx: Database,
  runId: string,
  result: { state: 'answered' } | { state: 'dropped'; reason: string },
): Promise<number> => changeRows(tx, 'messages', { run_id: runId, state: 'taken' }, result);

export const listOpenMessages = (tx: Database, jobId: string): Promise<Message[]> =>
  listRows(tx, 'messages', { job_id: jobId }, { by: ['seq'], and: sql`state in ('waiting', 'taken')` });

/** Those that the turn takes, or has taken in an earlier attempt. */
export async function listMessagesOfTurn(
  tx: Database,
  { jobId, turnIndex }: { jobId: string; turnIndex: number },
): Promise<Message[]> {
  const open = await listOpenMessages(tx, jobId);
  return open.filter(({ state, turn_index: turn }) => state === 'waiting' || turn === turnIndex);
}

/** Messages that the run took in a later turn than its first, without an answer of the model to that turn. */
export async function listUnansweredMessages(tx: Database, runId: string): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select messages.* from messages join turns using (run_id, turn_index)
    where run_id = ${runId} and state = 'taken' and turn_index > 0 and answer is null
    order by seq`.execute(tx);
  return rows;
}

/** How often failing checks were reported since a person, or a program of theirs, wrote last: `since` is the number of that message. */
export async function countRounds(tx: Database, jobId: string): Promise<{ rounds: number; since: number }> {
  const ofNobody = sql<boolean>`source in ('checks', 'automation')`;
  const { rows } = await sql<{ rounds: number; since: number }>`
    with last as (select coalesce(max(seq), 0)::int as since from messages where job_id = ${jobId} and not ${ofNobody})
    select since, (select count(*)::int from messages where job_id = ${jobId} and source = 'checks' and seq > since) as rounds
    from last`.execute(tx);
  return rows[0] ?? { rounds: 0, since: 0 };
}

export const listMessages = (tx: Database, jobId: string): Promise<Message[]> =>
  listRows(tx, 'messages', { job_id: jobId }, { by: ['seq'] });

/** The message that each job began with. */
export const listFirstMessages = (tx: Database, jobIds: readonly string[]): Promise<Message[]> =>
  listRows(tx, 'messages', { seq: 1 }, { by: ['job_id'], and: sql`job_id = any(${jobIds})` });

export const listMessagesOfRun = (tx: Database, runId: string): Promise<Message[]> =>
  listRows(tx, 'messages', { run_id: runId }, { by: ['seq'] });
