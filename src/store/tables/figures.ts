import { type Kysely, sql } from 'kysely';
import { isPendingAnswer } from './effects.ts';
import { canCallGitHub } from './installations.ts';
import type { Tables } from './schema.ts';

/** Work that waits now, over all processes. Ages are in seconds, 0 where nothing waits. */
export interface Backlog {
  /**
   * Jobs that are due and that nobody holds; those of a suspended or blocked installation are not among them. Not quite what `claimJob` would
   * take: that heeds the limit of a project and what broke off as well, and takes what is to be stopped of any installation.
   */
  jobs: { count: number; oldestSeconds: number };
  /** Stored and not processed; those of a suspended installation are not among them. */
  deliveries: { count: number; oldestSeconds: number };
  /** Promised outside of runs and not given; nor are those here. */
  answers: { count: number; oldestSeconds: number };
  /** Webhooks that GitHub was asked for at least twice and could not deliver then either; one that it was asked for a moment ago is none. */
  missedDeliveries: number;
  leases: number;
  /** That GitHub wants to be left alone by. */
  blockedInstallations: number;
  suspendedInstallations: number;
}

/** Cheap however many jobs there ever were: each part reads a partial index that holds only what waits. */
export async function readBacklog(database: Kysely<Tables>): Promise<Backlog> {
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
      (select count(*) from jobs where lease_until is not null and lease_until > now()) as leases,
      (select count(*) from installations where blocked_until > now()) as "blockedInstallations",
      (select count(*) from installations where suspended_at is not null) as "suspendedInstallations"
  `.execute(database);
  const [backlog] = rows;
  if (!backlog) throw new Error('the database counted nothing');
  return backlog;
}

const figure = (since: ReturnType<typeof sql>) => sql`json_build_object(
  'count', count(*), 'oldestSeconds', coalesce(greatest(extract(epoch from now() - min(${since})), 0), 0)::float8)`;

/** Everything there ever was. */
export interface Totals {
  jobs: { status: string; count: number }[];
  /** That have ended. */
  runs: { outcome: string; code: string; count: number }[];
}

/**
 * Counts by index alone (never what is being worked on, whose rows change every two seconds): for a million jobs and runs 13 MB of it, or
 * some tenths of a second.
 */
export async function readTotals(database: Kysely<Tables>): Promise<Totals> {
  const jobs = await sql<Totals['jobs'][number]>`
    select status, count(*) from jobs where status <> 'active' group by status
    union all
    -- An active job is always due, if only later: so its row need not be in a second index.
    select 'active', count(*) from jobs where due_at is not null`.execute(database);
  const runs = await sql<Totals['runs'][number]>`
    select outcome, code, count(*) from runs where phase = 'ended' group by outcome, code`.execute(database);
  return { jobs: jobs.rows, runs: runs.rows };
}
