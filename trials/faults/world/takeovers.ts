import { sql } from 'kysely';
import type { Database } from '../../../src/store/postgres/database.ts';

/** A change of a lease or a run. `counted`: the interruption counted against the run. */
interface Event {
  jobId: string;
  what: 'claimed' | 'released' | 'taken over' | 'counted';
  at: Date;
}

/** Records every change of a lease or a run's count, with triggers: the model's next answer resets the count. Disposing removes them. */
export async function noteTakeovers(database: Database) {
  const statements = [
    sql`create table noted (seq bigserial, at timestamptz not null default clock_timestamp(), job_id text, what text)`,
    sql`create function note() returns trigger language plpgsql as $$
      begin
        insert into noted (job_id, what) values (new.job_id, tg_argv[0]);
        return null;
      end $$`,
    sql`create trigger note_claim after update on jobs for each row
      when (old.lease_owner is null and new.lease_owner is not null) execute function note('claimed')`,
    sql`create trigger note_return after update on jobs for each row
      when (old.lease_owner is not null and new.lease_owner is null) execute function note('released')`,
    sql`create trigger note_takeover after update on jobs for each row
      when (old.lease_owner <> new.lease_owner) execute function note('taken over')`,
    sql`create trigger note_count after update on runs for each row
      when (old.takeovers < new.takeovers) execute function note('counted')`,
  ];
  for (const statement of statements) await statement.execute(database);
  return {
    /** Of one job, in order. */
    async list(jobId: string): Promise<Event[]> {
      const { rows } = await sql<Event>`
        select job_id as "jobId", what, at from noted where job_id = ${jobId} order by seq`.execute(database);
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await sql`drop function note cascade`.execute(database);
      await sql`drop table noted`.execute(database);
    },
  };
}

/** While all workers live, no interruption may count as a crash. */
export const listCounted = (events: readonly Event[]): string[] => [
  ...events.filter(({ what }) => what === 'taken over').map(() => 'its lease was not released and had to expire'),
  ...events.filter(({ what }) => what === 'counted').map(() => 'it was counted as a crash'),
];

/** Each time without a lease while the run was under way, in milliseconds. */
export const listPauses = (events: readonly Event[]): number[] =>
  events.flatMap(({ what, at }, index) => {
    const before = events[index - 1];
    return what === 'claimed' && before?.what === 'released' ? [at.getTime() - before.at.getTime()] : [];
  });
