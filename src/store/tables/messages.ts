import { type Kysely, sql } from 'kysely';
import { typeid } from 'typeid-js';
import type { MessageContext, MessageSource, Row, Tables } from './schema.ts';

export type Message = Row<'messages'>;

export interface NewMessage {
  jobId: string;
  source: MessageSource;
  /** What makes it the same message when it comes twice; none: it is always a new one. */
  sourceKey?: string;
  /** Who asked, as people are shown it: a login, or the name of an API key. */
  author: string;
  /** The same as an account of GitHub, when a person asked: commits name them as co-author. */
  person?: MessageContext['person'];
  review?: NonNullable<MessageContext['review']>;
  prompt: string;
  /** The delivery that brought it; none: it came by the API. */
  deliveryId?: string;
  /** When it was written, by the clock of where it was; none: now. */
  writtenAt?: Date;
}

/** Appends a message to its job; the job's row must be locked, its `next_seq` is counted on. */
export async function appendMessage(tx: Kysely<Tables>, message: NewMessage): Promise<Message> {
  const { seq } = await tx
    .updateTable('jobs')
    .set({ next_seq: sql`next_seq + 1` })
    .where('job_id', '=', message.jobId)
    .returning(sql<number>`next_seq - 1`.as('seq'))
    .executeTakeFirstOrThrow();
  const messageId = typeid('msg').toString();
  return tx
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
      context: message.person ? JSON.stringify(toContext(message.person, message.review)) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function toContext(person: MessageContext['person'], review: MessageContext['review']): MessageContext {
  return review ? { person, review } : { person };
}

/** The message of a source, if it was appended before. */
export function findMessageBySource(
  tx: Kysely<Tables>,
  { jobId, sourceKey }: { jobId: string; sourceKey: string },
): Promise<Message | undefined> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('source_key', '=', sourceKey)
    .executeTakeFirst();
}

export async function countWaitingMessages(tx: Kysely<Tables>, jobId: string): Promise<number> {
  const { waiting } = await tx
    .selectFrom('messages')
    .select((select) => select.fn.countAll<number>().as('waiting'))
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Hands every waiting message of the job to a turn of a run. */
export async function takeMessages(
  tx: Kysely<Tables>,
  { jobId, runId, turnIndex }: { jobId: string; runId: string; turnIndex: number },
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ state: 'taken', run_id: runId, turn_index: turnIndex })
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Gives back those of these that a run has taken: the next one begins with them. */
export async function releaseMessages(tx: Kysely<Tables>, messages: readonly Message[]): Promise<void> {
  const messageIds = messages.map((message) => message.message_id);
  await tx
    .updateTable('messages')
    .set({ state: 'waiting', run_id: null, turn_index: null })
    .where('message_id', '=', sql<string>`any(${messageIds})`)
    .where('state', '=', 'taken')
    .execute();
}

/** Drops what waits, or of that only what `among` holds, with the reason that its asker is told. Returns how many that were. */
export async function dropWaitingMessages(
  tx: Kysely<Tables>,
  { jobId, runId, reason, among }: { jobId: string; runId?: string; reason: string; among?: readonly Message[] },
): Promise<number> {
  const messageIds = among?.map((message) => message.message_id);
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set({ state: 'dropped', reason, ...(runId && { run_id: runId }) })
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .$if(messageIds !== undefined, (waiting) => waiting.where('message_id', '=', sql<string>`any(${messageIds})`))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Settles what a run had taken: answered, or dropped with the reason why it could not be. */
export async function finishMessages(
  tx: Kysely<Tables>,
  runId: string,
  settled: { state: 'answered' } | { state: 'dropped'; reason: string },
): Promise<void> {
  await tx.updateTable('messages').set(settled).where('run_id', '=', runId).where('state', '=', 'taken').execute();
}

/** What the job still owes an answer: messages that wait, and those that its run has taken. */
export function listOpenMessages(tx: Kysely<Tables>, jobId: string): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('state', 'in', ['waiting', 'taken'])
    .orderBy('seq')
    .execute();
}

/** What a run was handed in a turn that the model never answered. What it began with is not among that. */
export function listUnansweredMessages(tx: Kysely<Tables>, runId: string): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .innerJoin('turns', (join) =>
      join.onRef('turns.run_id', '=', 'messages.run_id').onRef('turns.turn_index', '=', 'messages.turn_index'),
    )
    .selectAll('messages')
    .where('messages.run_id', '=', runId)
    .where('messages.state', '=', 'taken')
    .where('turns.turn_index', '>', 0)
    .where('turns.answer', 'is', null)
    .orderBy('seq')
    .execute();
}

/** In the order in which they were accepted. */
export function listMessages(tx: Kysely<Tables>, jobId: string): Promise<Message[]> {
  return tx.selectFrom('messages').selectAll().where('job_id', '=', jobId).orderBy('seq').execute();
}

/** What a run was given, in order. */
export function listMessagesOfRun(tx: Kysely<Tables>, runId: string): Promise<Message[]> {
  return tx.selectFrom('messages').selectAll().where('run_id', '=', runId).orderBy('seq').execute();
}

export function listMessagesOfTurn(tx: Kysely<Tables>, runId: string, turnIndex: number): Promise<Message[]> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('run_id', '=', runId)
    .where('turn_index', '=', turnIndex)
    .orderBy('seq')
    .execute();
}
