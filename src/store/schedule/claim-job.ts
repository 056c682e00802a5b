import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../postgres/database.ts';
import { canCallGitHub } from '../tables/installations.ts';
import { isStopDue } from '../tables/runs.ts';
import type { Tables } from '../tables/schema.ts';
import { type Lease, leaseEnd } from './lease.ts';

export interface ClaimedLease extends Lease {
  /** For how long the job had been due. */
  waitedMs: number;
}

/**
 * Claims one due job, or none: of the project with the fewest live leases, then of the one that a job was claimed of longest ago, what was
 * begun before what was not, and then the job that is due longest. So no backlog holds up another project's first job, however few slots
 * there are, nor a run that was handed over. Jobs of an installation that is suspended, or blocked by GitHub's rate limit, wait, unless they
 * are to be stopped, which asks GitHub nothing; so do those of a project with `projectConcurrency` leases (0: no limit) over all processes.
 * Nothing is taken over before the server has been up for `takeOverAfterMs`: whoever lost it with everybody else speaks up until then.
 * Of the runs that broke off since their last answer an owner gets one at a time: the one that kills its workers must not take others along.
 */
export async function claimJob(
  database: Database,
  owner: string,
  { projectConcurrency = 0, takeOverAfterMs = 0 }: { projectConcurrency?: number; takeOverAfterMs?: number } = {},
): Promise<ClaimedLease | undefined> {
  return projectConcurrency === 0
    ? // In a transaction, so that no job is held in the name of somebody who did not get the answer.
      database.transaction().execute((tx) => claimNext(tx, owner, { takeOverAfterMs }))
    : claimWithinLimit(database, owner, { limit: projectConcurrency, takeOverAfterMs });
}

/**
 * What a statement counts is as old as its beginning, so a limit is exact only where it is counted anew under a lock of the project. A
 * project that somebody claims of at the moment is waited for last: the jobs of others must not wait with it.
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

/**
 * Only one at a time claims a job of this project within its limit, until the transaction ends. Returns false where that is somebody else,
 * unless `isWaitedFor`: then it throws when that takes longer than a second.
 */
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
  // Only a frozen process holds it for longer than milliseconds, and the next look is never far.
  await sql`set local lock_timeout = '1s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
  return true;
}

/** Apart from all other advisory locks of the database: the first of the two numbers that name one. */
const claimLocks = 1_886_152_557;

interface Claimer {
  owner: string;
  limit: number;
  takeOverAfterMs: number;
}

/** Which jobs may be claimed, and in which order; `next` is what a statement goes on with. */
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
      -- A lease that ran out holds its place until it is taken over: its holder may come back and renew it.
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
    -- Whoever claims of the same project at the moment notes the same: nobody waits for a process that was frozen over it.
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
