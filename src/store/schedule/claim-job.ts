import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../postgres/database.ts';
import { isStopDue } from '../tables/jobs/runs.ts';
import { canCallGitHub } from '../tables/repositories/installations.ts';
import type { Tables } from '../tables/schema.ts';
import { type Lease, leaseEnd } from './lease.ts';

export interface ClaimedLease extends Lease {
  waitedMs: number;
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
  { projectConcurrency = 0, takeOverAfterMs = 0 }: { projectConcurrency?: number; takeOverAfterMs?: number } = {},
): Promise<ClaimedLease | undefined> {
  return projectConcurrency === 0
    ? // In a transaction, so that a claim whose answer is lost is rolled back.
      database.transaction().execute((tx) => claimNext(tx, owner, { takeOverAfterMs }))
    : claimWithinLimit(database, owner, { limit: projectConcurrency, takeOverAfterMs });
}

/**
 * A statement counts leases from its snapshot, so the limit is exact only under a lock of the project. Contended projects come last: jobs
 * of other projects must not wait for their locks.
 */
async function claimWithinLimit(
  database: Database,
  owner: string,
  { limit, takeOverAfterMs }: { limit: number; takeOverAfterMs: number },
): Promise<ClaimedLease | undefined> {
  const contended = new Set<string>();
  const without = new Set<string>();
  for (;;) {
    const next = await findNextProject(database, { owner, limit, takeOverAfterMs, except: [...contended, ...without] });
    const [projectId] = next === undefined ? contended : [next];
    if (projectId === undefined) return undefined;
    const claimed = await database.transaction().execute(async (tx) => {
      const isLocked = await lockClaims(tx, projectId, { isWaitedFor: next === undefined });
      return isLocked ? claimNext(tx, owner, { limit, takeOverAfterMs, projectId }) : 'contended';
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
}

const findNext = ({
  owner,
  limit,
  takeOverAfterMs,
  restriction,
  locking,
}: Claimer & { restriction: RawBuilder<unknown>; locking: RawBuilder<unknown> }) => sql`
  with leased as (
    select project_id, count(*) as held, count(*) filter (where lease_until > now()) as live
    from jobs where lease_until is not null group by project_id
  ),
  next as (
    select j.job_id, j.project_id, j.lease_owner, j.due_at from jobs j
    join projects p using (project_id)
    join installations i using (installation_id)
    left join leased using (project_id)
    left join claims using (project_id)
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
      and ${restriction}
    order by coalesce(leased.live, 0), claims.claimed_at nulls first, r.run_id is null, j.due_at, j.job_id
    limit 1 ${locking}
  )`;

async function findNextProject(
  database: Database,
  { except, ...claimer }: Claimer & { except: string[] },
): Promise<string | undefined> {
  const next = findNext({ ...claimer, restriction: sql`j.project_id <> all(${except})`, locking: sql`` });
  const { rows } = await sql<{ projectId: string }>`${next} select project_id as "projectId" from next`.execute(
    database,
  );
  return rows[0]?.projectId;
}

async function claimNext(
  database: Kysely<Tables>,
  owner: string,
  { limit = 0, takeOverAfterMs, projectId }: { limit?: number; takeOverAfterMs: number; projectId?: string },
): Promise<ClaimedLease | undefined> {
  const restriction = projectId === undefined ? sql`true` : sql`j.project_id = ${projectId}`;
  const next = findNext({ owner, limit, takeOverAfterMs, restriction, locking: sql`for update of j skip locked` });
  const { rows } = await sql<ClaimedLease>`${next},
    -- Skips a locked row: a concurrent claim writes the same, and a frozen process must not block others.
    noted as (
      update claims set claimed_at = clock_timestamp() where project_id in (
        select c.project_id from claims c where c.project_id in (select project_id from next) for update skip locked
      )
    ),
    first_noted as (
      insert into claims (project_id, claimed_at) select project_id, clock_timestamp() from next
      where not exists (select from claims c where c.project_id = next.project_id)
      on conflict do nothing
    )
    update jobs set lease_epoch = lease_epoch + 1, lease_owner = ${owner}, lease_until = ${leaseEnd}
    from next where jobs.job_id = next.job_id
    returning jobs.job_id as "jobId", jobs.project_id as "projectId", jobs.lease_epoch as epoch,
      next.lease_owner <> ${owner} is true as "isTakeover",
      (extract(epoch from now() - next.due_at) * 1000)::float8 as "waitedMs"`.execute(database);
  return rows[0];
}
