import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../postgres/database.ts';
import { isStopDue } from '../tables/jobs/runs.ts';
import { canCallGitHub } from '../tables/repositories/installations.ts';
import type { Tables } from '../tables/schema.ts';
import { type Lease, leaseEnd } from './lease.ts';
import { isReady } from './presence.ts';
import { wakeUpChannel } from './wake-ups.ts';

export interface ClaimedLease extends Lease {
  waitedMs: number;
}

interface ClaimOptions {
  projectConcurrency?: number;
  takeOverAfterMs?: number;
  yielding?: Yielding | undefined;
}

/**
 * A job that is younger than `forMs` is left to the worker that claimed its project last, if that worker has a free slot: it has the mirror.
 * That worker is woken.
 */
export interface Yielding {
  /** Repositories with a mirror on this machine: their jobs are never left to another worker. */
  repositoryIds: readonly number[];
  forMs: number;
  /** The last free slot waits for the next job in the order, so that none starts later than `forMs` after its turn. */
  isLastSlot: boolean;
}

/**
 * Order: fewest live leases of the project, then its oldest last claim, then started runs before new ones, then `due_at`: no backlog delays
 * another project’s first job. Skips jobs of suspended or blocked installations, except runs to stop. Takes over nothing until the server
 * has been up for `takeOverAfterMs`: after an outage holders renew first. An owner takes one interrupted run at a time, so a crash-looping
 * run cannot take down others.
 */
export async function claimJob(
  database: Database,
  owner: string,
  { projectConcurrency = 0, takeOverAfterMs = 0, yielding }: ClaimOptions = {},
): Promise<ClaimedLease | undefined> {
  return projectConcurrency === 0
    ? // In a transaction, so that a claim whose answer is lost is rolled back.
      database.transaction().execute((tx) => claimNext(tx, { owner, limit: 0, takeOverAfterMs, yielding }))
    : claimWithinLimit(database, { owner, limit: projectConcurrency, takeOverAfterMs, yielding });
}

/**
 * A statement counts leases from its snapshot, so the limit is exact only under a lock of the project. Contended projects come last: jobs
 * of other projects must not wait for their locks.
 */
async function claimWithinLimit(database: Database, claimer: Claimer): Promise<ClaimedLease | undefined> {
  const contended = new Set<string>();
  const without = new Set<string>();
  for (;;) {
    const next = await findNextProject(database, { ...claimer, except: [...contended, ...without] });
    const [projectId] = next === undefined ? contended : [next];
    if (projectId === undefined) return undefined;
    const claimed = await database.transaction().execute(async (tx) => {
      const isLocked = await lockClaims(tx, projectId, { isWaitedFor: next === undefined });
      return isLocked ? claimNext(tx, { ...claimer, projectId }) : 'contended';
    });
    if (claimed === 'contended') contended.add(projectId);
    else if (claimed) return claimed;
    else {
      contended.delete(projectId);
      without.add(projectId);
    }
  }
}

/** Returns false if another process holds the lock, unless `isWaitedFor`: then throws after a second. */
export async function lockClaims(
  tx: Tx,
  projectId: string,
  { isWaitedFor }: { isWaitedFor: boolean },
): Promise<boolean> {
  const key = sql`${claimLocks}, hashtext(${projectId})`;
  if (!isWaitedFor) {
    const { rows } = await sql<{ isLocked: boolean }>`select pg_try_advisory_xact_lock(${key}) as "isLocked"`.execute(
      tx,
    );
    return rows[0]?.isLocked ?? false;
  }
  // Only a frozen process holds the lock for longer than milliseconds.
  await sql`set local lock_timeout = '1s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
  return true;
}

/** Differs from all other advisory locks in the database. */
const claimLocks = 1_886_152_557;

interface Claimer {
  owner: string;
  limit: number;
  takeOverAfterMs: number;
  yielding: Yielding | undefined;
}

const findNext = ({
  owner,
  limit,
  takeOverAfterMs,
  yielding: { repositoryIds, forMs, isLastSlot } = { repositoryIds: [], forMs: 0, isLastSlot: false },
  restriction,
  locking,
}: Claimer & { restriction: RawBuilder<unknown>; locking: RawBuilder<unknown> }) => sql`
  with leased as (
    select project_id, count(*) as held, count(*) filter (where lease_until > now()) as live
    from jobs where lease_until is not null group by project_id
  ),
  yielded as (
    select j.job_id, c.worker from jobs j join projects p using (project_id) join claims c using (project_id)
    join workers w on w.name = c.worker
    where j.due_at > now() - ${forMs} * interval '1 millisecond' and j.due_at <= now() and j.lease_until is null
      and p.repository_id <> all(${repositoryIds}::bigint[]) and w.name <> ${owner} and ${isReady}
  ),
  next as (
    select j.job_id, j.project_id, j.lease_owner, j.due_at, yielded.worker is not null as "isYielded" from jobs j
    join projects p using (project_id)
    join installations i using (installation_id)
    left join leased using (project_id)
    left join claims using (project_id)
    left join yielded using (job_id)
    left join runs r on r.job_id = j.job_id and r.phase <> 'ended'
    where j.due_at <= now() and (j.lease_until is null or j.lease_until <= now())
      and (j.lease_owner is null or now() - pg_postmaster_start_time() > ${takeOverAfterMs} * interval '1 millisecond')
      and (${isStopDue} is true or ${canCallGitHub})
      and (coalesce(r.takeovers, 0) = 0 or not exists (
        select from jobs own join runs again on again.job_id = own.job_id and again.phase <> 'ended'
        where own.lease_owner = ${owner} and own.lease_until > now() and again.takeovers > 0
      ))
      -- An expired lease counts until it is taken over: its holder may still renew it.
      and (${limit} = 0 or coalesce(case when j.lease_until is null then leased.held else leased.live end, 0) < ${limit})
      and (yielded.worker is null or ${isLastSlot}) and ${restriction}
    order by coalesce(leased.live, 0), claims.claimed_at nulls first, r.run_id is null, j.due_at, j.job_id
    limit 1 ${locking}
  )`;

async function findNextProject(
  database: Database,
  { except, ...claimer }: Claimer & { except: string[] },
): Promise<string | undefined> {
  const next = findNext({ ...claimer, restriction: sql`j.project_id <> all(${except})`, locking: sql`` });
  const { rows } = await sql<{ projectId: string }>`
    ${next} select project_id as "projectId" from next where not "isYielded"`.execute(database);
  return rows[0]?.projectId;
}

async function claimNext(
  database: Kysely<Tables>,
  { projectId, ...claimer }: Claimer & { projectId?: string },
): Promise<ClaimedLease | undefined> {
  const { owner } = claimer;
  const restriction = projectId === undefined ? sql`true` : sql`j.project_id = ${projectId}`;
  const next = findNext({ ...claimer, restriction, locking: sql`for update of j skip locked` });
  const { rows } = await sql<Unclaimed | ClaimedLease>`${next},
    chosen as (select * from next where not "isYielded"),
    -- Skips a locked row: a concurrent claim writes the same, and a frozen process must not block others.
    noted as (
      update claims set claimed_at = clock_timestamp(), worker = ${owner} where project_id in (
        select c.project_id from claims c where c.project_id in (select project_id from chosen) for update skip locked
      )
    ),
    first_noted as (
      insert into claims (project_id, claimed_at, worker) select project_id, clock_timestamp(), ${owner} from chosen
      where not exists (select from claims c where c.project_id = chosen.project_id)
      on conflict do nothing
    ),
    notified as (
      select count(pg_notify(${wakeUpChannel}, worker)::text) from (select distinct worker from yielded) others
    ),
    claimed as (
      update jobs set lease_epoch = lease_epoch + 1, lease_owner = ${owner}, lease_until = ${leaseEnd}
      from chosen where jobs.job_id = chosen.job_id
      returning jobs.job_id as "jobId", jobs.project_id as "projectId", jobs.lease_epoch as epoch,
        chosen.lease_owner <> ${owner} is true as "isTakeover",
        (extract(epoch from now() - chosen.due_at) * 1000)::float8 as "waitedMs"
    )
    select claimed.*, notified.count > 0 as "hasYielded" from notified left join claimed on true`.execute(database);
  const [row] = rows;
  return row?.jobId ? row : undefined;
}

interface Unclaimed {
  jobId: null;
}
