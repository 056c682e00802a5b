import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import type { OccasionSubject } from '../columns.ts';
import { changeRows } from '../rows.ts';
import type { Row } from '../schema.ts';

/** The key of an automation. */
export interface AutomationKey {
  projectId: string;
  name: string;
}

export type OccasionRow = Row<'occasions'>;

export interface NewOccasion {
  /** The same for every delivery of it. */
  key: string;
  subject: OccasionSubject;
  occurredAt: Date;
}

/** `passedBecause`: why it is passed over at once. False: it was noted before. */
export async function noteOccasion(
  tx: Database,
  { projectId, name }: AutomationKey,
  { key, subject, occurredAt }: NewOccasion,
  passedBecause?: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('occasions')
    .values({
      project_id: projectId,
      automation: name,
      key,
      subject: JSON.stringify(subject),
      occurred_at: occurredAt,
      ...(passedBecause !== undefined && { state: 'passed', reason: passedBecause, finished_at: now }),
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'automation', 'key']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Oldest first. */
export async function listWaitingOccasions(
  tx: Database,
  { projectId, name }: AutomationKey,
  limit: number,
): Promise<OccasionRow[]> {
  const { rows } = await sql<OccasionRow>`
    select * from occasions where project_id = ${projectId} and automation = ${name} and state = 'waiting'
    order by occurred_at, key limit ${limit}`.execute(tx);
  return rows;
}

/** Only one that still waits: another process may have taken it up. */
export async function passOver(
  tx: Database,
  automation: AutomationKey,
  { key, reason, subject }: { key: string; reason: string; subject: OccasionSubject },
): Promise<void> {
  const passed = { state: 'passed', reason, subject: JSON.stringify(subject), finished_at: now } as const;
  await changeRows(tx, 'occasions', { ...waitingOf(automation), key }, passed);
}

export async function passOverWaiting(tx: Database, automation: AutomationKey, reason: string): Promise<void> {
  await changeRows(tx, 'occasions', waitingOf(automation), { state: 'passed', reason, finished_at: now });
}

const waitingOf = ({ projectId, name }: AutomationKey) =>
  ({ project_id: projectId, automation: name, state: 'waiting' }) as const;

/** Call it with the automation locked. */
export async function markTaken(
  tx: Database,
  { projectId, name }: AutomationKey,
  { key, subject: { text: _, ...subject }, messageId }: { key: string; subject: OccasionSubject; messageId: string },
): Promise<void> {
  const taken = { state: 'taken', message_id: messageId, subject: JSON.stringify(subject), finished_at: now } as const;
  await changeRows(tx, 'occasions', { project_id: projectId, automation: name, key }, taken);
}

/** Lets the occasions of messages that nobody will answer wait again. Returns the automations that they are of. */
export async function releaseOccasions(tx: Database, messageIds: readonly string[]): Promise<AutomationKey[]> {
  const { rows } = await sql<AutomationKey>`
    with released as (
      update occasions set state = 'waiting', message_id = null, finished_at = null
      where message_id = any(${messageIds}) and state = 'taken' returning project_id, automation
    )
    select distinct project_id as "projectId", automation as name from released order by name`.execute(tx);
  return rows;
}

/** Messages of automations since midnight (UTC), and when the next day begins. */
export async function countTakenToday(tx: Database, projectId: string): Promise<{ taken: number; nextDayAt: Date }> {
  const { rows } = await sql<{ taken: number; nextDayAt: Date }>`
    select (select count(distinct message_id) from occasions
        where project_id = ${projectId} and state = 'taken' and finished_at >= date_trunc('day', now(), 'UTC'))::int as taken,
      date_trunc('day', now(), 'UTC') + interval '1 day' as "nextDayAt"`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the database returned no count');
  return row;
}
