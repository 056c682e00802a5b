import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { Row } from '../schema.ts';
import type { NewEvent } from './event-data.ts';

export type StoredEvent = Row<'events'>;

/** PostgreSQL sends the job's id on it when events are committed. */
export const eventChannel = 'pagewright_event';
/** PostgreSQL sends the project's id on it when events that change a list of jobs are committed. */
export const projectChannel = 'pagewright_project';

const listed = /^(?:job|pull_request)\./;

/** Locks the job until the commit, so that events are gapless and in order. Take locks in this order: installation, project, job. */
export async function recordEvents(tx: Database, jobId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    with numbered as (
      update jobs set next_event = next_event + ${events.length}
      where job_id = ${jobId} returning project_id, next_event - ${events.length} as first
    ),
    recorded as (
      insert into events (job_id, seq, type, data, at)
      select ${jobId}, first + position - 1, type, data::json, clock_timestamp()
      from numbered, unnest(${events.map(({ type }) => type)}::text[], ${events.map(({ data }) => JSON.stringify(data))}::text[])
        with ordinality as added (type, data, position)
    )
    select pg_notify(${eventChannel}, ${jobId}),
      (select pg_notify(${projectChannel}, project_id) from numbered where ${events.some(({ type }) => listed.test(type))})`.execute(
    tx,
  );
}

/** For a row of `runs`: the reason of its last waiting event since the last answer of the model; null: none. */
export const toldReason = sql<string | null>`(
  select case type when 'run.waiting' then data ->> 'reason' end from events
  where events.job_id = runs.job_id and type in ('run.started', 'run.waiting', 'turn.answered')
  order by seq desc limit 1
)`;

/** Events after `after`, in order. */
export async function listEvents(
  tx: Database,
  { jobId, after, limit }: { jobId: string; after: number; limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select * from events where job_id = ${jobId} and seq > ${after} order by seq limit ${limit}`.execute(tx);
  return rows;
}

/** The next event’s `seq` of each job that exists. */
export async function listNextEvents(tx: Database, jobIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ job_id: string; next_event: number }>`
    select job_id, next_event from jobs where job_id = any(${jobIds})`.execute(tx);
  return new Map(rows.map((row) => [row.job_id, row.next_event]));
}

/** The `seq` of the first event that is left, and of the next one; both are the same without any. Retention removes the oldest first. */
export async function findKeptEvents(tx: Database, jobId: string): Promise<{ first: number; next: number }> {
  const { rows } = await sql<{ first: number; next: number }>`
    select coalesce((select min(seq) from events where job_id = ${jobId}), next_event) as first, next_event as next
    from jobs where job_id = ${jobId}`.execute(tx);
  return rows[0] ?? { first: 1, next: 1 };
}
