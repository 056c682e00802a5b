import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { isPendingAnswer } from './jobs/effects.ts';
import { countTurns } from './jobs/runs.ts';
import { canCallGitHub } from './repositories/installations.ts';
import { countMissedDeliveries, type ListedMissed, listMissedDeliveries } from './repositories/redeliveries.ts';

interface Backlog {
  /** Excludes suspended and blocked installations, but unlike `claimJob` ignores project limits and interruptions. */
  jobs: { count: number; oldestSeconds: number };
  /** Like `answers`, excludes suspended installations. */
  deliveries: { count: number; oldestSeconds: number };
  answers: { count: number; oldestSeconds: number };
  /** Requested at least twice, and without a pending request. */
  missedDeliveries: number;
  /** Outbound webhooks. */
  webhooks: { waiting: number; failing: number; disabled: number };
  leases: number;
  blockedInstallations: number;
  suspendedInstallations: number;
}

/** Cheap for any number of jobs: each part reads a partial index of what waits. */
export async function readBacklog(database: Database): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select ${figure(sql`j.due_at`)} from jobs j join projects using (project_id) join installations i using (installation_id)
        where j.due_at <= now() and (j.lease_until is null or j.lease_until <= now())
          and ${canCallGitHub}) as jobs,
      (select ${figure(sql`received_at`)} from deliveries left join projects using (repository_id)
        left join installations i using (installation_id) where state = 'stored' and i.suspended_at is null) as deliveries,
      (select ${figure(sql`intended_at`)} from effects join jobs using (job_id) join projects using (project_id)
        join installations i using (installation_id)
        where ${isPendingAnswer} and i.suspended_at is null) as answers,
      (select count(*) from redeliveries missed where due_at is not null and tries >= 2
        and not exists (select from deliveries came where came.delivery_id = missed.delivery_id)) as "missedDeliveries",
      (select json_build_object(
        'waiting', (select count(*) from webhook_deliveries where state = 'waiting'),
        'failing', count(*) filter (where failing_since is not null and disabled_at is null),
        'disabled', count(disabled_at)) from webhooks where removed_at is null) as webhooks,
      (select count(*) from jobs where lease_until is not null and lease_until > now()) as leases,
      (select count(*) from installations where blocked_until > now()) as "blockedInstallations",
      (select count(*) from installations where suspended_at is not null) as "suspendedInstallations"
  `.execute(database);
  const [backlog] = rows;
  if (!backlog) throw new Error('the database returned no backlog');
  return backlog;
}

const figure = (since: ReturnType<typeof sql>) => sql`json_build_object(
  'count', count(*), 'oldestSeconds', coalesce(greatest(extract(epoch from now() - min(${since})), 0), 0)::float8)`;

interface Totals {
  jobs: { status: string; count: number }[];
  runs: { outcome: string; code: string; count: number }[];
}

/** Reads only indexes, without rows of live runs: some tenths of a second for a million jobs and runs. */
export async function readTotals(database: Database): Promise<Totals> {
  const jobs = await sql<Totals['jobs'][number]>`
    select status, count(*) from jobs where status <> 'active' group by status
    union all
    -- An active job always has due_at, which saves a second index.
    select 'active', count(*) from jobs where due_at is not null`.execute(database);
  const runs = await sql<Totals['runs'][number]>`
    select outcome, code, count(*) from runs where phase = 'ended' group by outcome, code`.execute(database);
  return { jobs: jobs.rows, runs: runs.rows };
}

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
  const { rows: people } = await sql<Operations['people'][number]>`
    select user_id, max(login) as login, count(*) as sessions, max(used_at) as used_at from sessions
    group by user_id order by used_at desc limit ${most}`.execute(database);
  const { rows: live } = await sql<Operations['live'][number]>`
    select job_id, lease_owner, lease_until, project_id, owner, repo, started_at, ${countTurns} as turns
    from runs join jobs using (job_id) join projects using (project_id)
    where due_at is not null and phase <> 'ended' order by started_at limit ${most}`.execute(database);
  const { rows: limits } = await sql<Operations['limits'][number]>`
    select installation_id, account, blocked_until, writes_until from installations
    where greatest(blocked_until, writes_until) > now() order by account limit ${most}`.execute(database);
  // The index of runs with turns: those of the last day have them.
  const { rows: hours } = await sql<Operations['hours'][number]>`
    select at, count(runs.run_id) filter (where outcome = 'completed' or code = 'cancelled') as completed,
      count(runs.run_id) filter (where outcome = 'failed' and code <> 'cancelled') as failed
    from generate_series(date_trunc('hour', now()) - interval '23 hours', now(), interval '1 hour') as hours (at)
      left join runs on phase = 'ended' and removed_turns is null and ended_at >= at and ended_at < at + interval '1 hour'
    group by at order by at`.execute(database);
  return {
    backlog: await readBacklog(database),
    hours,
    live,
    limits,
    missed: await listMissedDeliveries(database, most),
    missedInAll: await countMissedDeliveries(database),
    people,
  };
}
