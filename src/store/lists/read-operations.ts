import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { type Backlog, readBacklog } from '../tables/figures.ts';
import { countTurns } from '../tables/jobs/runs.ts';
import { countMissedDeliveries, type ListedMissed, listMissedDeliveries } from '../tables/repositories/redeliveries.ts';

export interface Operations {
  backlog: Backlog;
  /** Runs that have not ended, the oldest first. The lease is past if they wait for a worker. */
  live: {
    project_id: string;
    owner: string;
    repo: string;
    job_id: string;
    lease_owner: string | null;
    lease_until: Date | null;
    started_at: Date;
    turns: number;
  }[];
  /** Installations that GitHub blocks, or whose next write waits. */
  limits: { installation_id: number; account: string; blocked_until: Date | null; writes_until: Date | null }[];
  /** Webhooks of GitHub that did not arrive, the newest first. */
  missed: ListedMissed[];
  missedInAll: { count: number; dead: number };
  /** Runs that ended in each of the last 24 hours, the oldest first. Runs on request of a person to stop are no failures. */
  hours: { at: Date; completed: number; failed: number }[];
  people: { user_id: number; login: string; sessions: number; used_at: Date }[];
}

const most = 100;

export async function readOperations(database: Database): Promise<Operations> {
  const backlog = await readBacklog(database);
  const people = await database
    .selectFrom('sessions')
    .select(['user_id', sql<string>`max(login)`.as('login')])
    .select([sql<number>`count(*)`.as('sessions'), sql<Date>`max(used_at)`.as('used_at')])
    .groupBy('user_id')
    .orderBy('used_at', 'desc')
    .limit(most)
    .execute();
  const live = await database
    .selectFrom('runs')
    .innerJoin('jobs', 'jobs.job_id', 'runs.job_id')
    .innerJoin('projects', 'projects.project_id', 'jobs.project_id')
    .select(['jobs.job_id', 'lease_owner', 'lease_until', 'projects.project_id', 'owner', 'repo', 'runs.started_at'])
    .select(countTurns.as('turns'))
    .where('jobs.due_at', 'is not', null)
    .where('phase', '<>', 'ended')
    .orderBy('runs.started_at')
    .limit(most)
    .execute();
  const limits = await database
    .selectFrom('installations')
    .select(['installation_id', 'account', 'blocked_until', 'writes_until'])
    .where(sql<boolean>`greatest(blocked_until, writes_until) > now()`)
    .orderBy('account')
    .limit(most)
    .execute();
  // The index of runs with turns: those of the last day have them.
  const { rows: hours } = await sql<Operations['hours'][number]>`
    select at, count(runs.run_id) filter (where outcome = 'completed' or code = 'cancelled') as completed,
      count(runs.run_id) filter (where outcome = 'failed' and code <> 'cancelled') as failed
    from generate_series(date_trunc('hour', now()) - interval '23 hours', now(), interval '1 hour') as hours (at)
      left join runs on phase = 'ended' and removed_turns is null and ended_at >= at and ended_at < at + interval '1 hour'
    group by at order by at`.execute(database);
  return {
    backlog,
    hours,
    live,
    limits,
    missed: await listMissedDeliveries(database, most),
    missedInAll: await countMissedDeliveries(database),
    people,
  };
}
