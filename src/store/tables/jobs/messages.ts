import { sql } from 'kysely';
import { createId } from '../../../create-id.ts';
import type { Database } from '../../postgres/database.ts';
import type { MessageContext, MessageSource, NamedPullRequest } from '../columns.ts';
import type { Row } from '../schema.ts';
import { insertChanges, insertImages, type NewImage } from './attachments.ts';

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
  const { seq } = await tx
    .updateTable('jobs')
    .set({ next_seq: sql`next_seq + 1` })
    .where('job_id', '=', message.jobId)
    .returning(sql<number>`next_seq - 1`.as('seq'))
    .executeTakeFirstOrThrow();
  const messageId = createId('msg');
  const appended = await tx
    .insertInto('messages')
    .values({
      message_id: messageId,
      job_id: message.jobId,
      seq,
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
  await tx
    .updateTable('messages')
    .set({ context: JSON.stringify(context) })
    .where('message_id', '=', messageId)
    .execute();
}

export function findMessageBySource(
  tx: Database,
  { jobId, sourceKey }: { jobId: string; sourceKey: string },
): Promise<Message | undefined> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where(({ and }) => and({ job_id: jobId, source_key: sourceKey }))
    .executeTakeFirst();
}

export async function countWaitingMessages(tx: Database, jobId: string): Promise<number> {
  const { waiting } = await tx
    .selectFrom('messages')
    .select((select) => select.fn.countAll<number>().as('waiting'))
    .where(({ and }) => and({ job_id: jobId, state: 'waiting' }))
    .executeTakeFirstOrThrow();
  return waiting;
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
  const messageIds = messages.map((message) => message.message_id);
  await tx
    .updateTable('messages')
    .set({ state: 'waiting', run_id: null, turn_index: null })
    .where('message_id', '=', sql<string>`any(${messageIds})`)
    .where('state', '=', 'taken')
    .execute();
}

/** Drops all waiting messages, or those in `among`. Returns them, in order. */
export async function dropWaitingMessages(
  tx: Database,
  { jobId, runId, reason, among }: { jobId: string; runId: string; reason: string; among?: readonly Message[] },
): Promise<Message[]> {
  const messageIds = among?.map((message) => message.message_id);
  const dropped = await tx
    .updateTable('messages')
    .set({ state: 'dropped', reason, run_id: runId })
    .where(({ and }) => and({ job_id: jobId, state: 'waiting' }))
    .$if(messageIds !== undefined, (waiting) => waiting.where('message_id', '=', sql<string>`any(${messageIds})`))
    .returningAll()
    .execute();
  return dropped.toSorted((a, b) => a.seq - b.seq);
}

/** Returns their number. */
export async function finishMessages(
  tx: Database,
  runId: string,
  result: { state: 'answered' } | { state: 'dropped'; reason: string },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set(result)
    .where(({ and }) => and({ run_id: runId, state: 'taken' }))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export function listOpenMessages(tx: Database, jobId: string): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('state', 'in', ['waiting', 'taken'])
    .orderBy('seq')
    .execute();
}

/** Those that the turn takes, or has taken in an earlier attempt. */
export async function listMessagesOfTurn(
  tx: Database,
  { jobId, turnIndex }: { jobId: string; turnIndex: number },
): Promise<Message[]> {
  const open = await listOpenMessages(tx, jobId);
  return open.filter(({ state, turn_index: turn }) => state === 'waiting' || turn === turnIndex);
}

/** Messages that the run took in a later turn than its first, without an answer of the model to that turn. */
export function listUnansweredMessages(tx: Database, runId: string): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .innerJoin('turns', (join) =>
      join.onRef('turns.run_id', '=', 'messages.run_id').onRef('turns.turn_index', '=', 'messages.turn_index'),
    )
    .selectAll('messages')
    .where(({ and }) => and({ 'messages.run_id': runId, 'messages.state': 'taken' }))
    .where('turns.turn_index', '>', 0)
    .where('turns.answer', 'is', null)
    .orderBy('seq')
    .execute();
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

export function listMessages(tx: Database, jobId: string): Promise<Message[]> {
  return tx.selectFrom('messages').selectAll().where('job_id', '=', jobId).orderBy('seq').execute();
}

/** The message that each job began with. */
export function listFirstMessages(tx: Database, jobIds: readonly string[]): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', sql<string>`any(${jobIds})`)
    .where('seq', '=', 1)
    .execute();
}

export function listMessagesOfRun(tx: Database, runId: string): Promise<Message[]> {
  return tx.selectFrom('messages').selectAll().where('run_id', '=', runId).orderBy('seq').execute();
}
