import { type RawBuilder, sql } from 'kysely';
import { type Database, type Tx, transact } from '../postgres/database.ts';
import { plannedOnceRepeated } from '../postgres/send-statement.ts';
import { isStopDueSql } from '../tables/jobs/runs.ts';
import { canCallGitHub } from '../tables/repositories/installations.ts';
import { type Lease, leaseEnd } from './lease.ts';
import { isPresent, wakeUpChannel } from './workers.ts';

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
 * A claim wakes that worker; without one, it finds the job at its next look.
 */
export interface Yielding {
  /** Repositories with a mirror on this machine: their jobs are never left to another worker. */
  repositoryIds: readonly number[];
  forMs: number;
  /** The last free slot skips no job: it waits for the next one in order, so that no job starts more than `forMs` after its turn. */
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
  { projectConcurrency = 0, takeOverAfterMs = 0, yielding = leavesNothing }: ClaimOptions = {},
): Promise<ClaimedLease | undefined> {
  const claimer = { owner, limit: projectConcurrency, takeOverAfterMs, yielding };
  return projectConcurrency === 0
    ? // In a transaction, so that a claim whose answer is lost is rolled back.
      transact(database, (tx) => claimNext(tx, claimer))
    : claimWithinLimit(database, claimer);
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
    const claimed = await transact(database, async (tx) => {
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
    const { rows } = await sql`select where pg_try_advisory_xact_lock(${key})`.execute(tx);
    return rows.length > 0;
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
  yielding: Yielding;
}

const leavesNothing: Yielding = { repositoryIds: [], forMs: 0, isLastSlot: false };

/** Jobs that became due later are left to another worker. */
const youngest = ({ forMs }: Yielding) => sql`now() - ${forMs} * interval '1 millisecond'`;

/**
 * The next job as `next`. Each query reads little, however many jobs wait: projects in their order first, then the job of the first that has
 * one, by index.
 */
const findNext = (options: Claimer & { projects: RawBuilder<unknown>; locking: RawBuilder<unknown> }) => {
  const { owner, limit, takeOverAfterMs, yielding, projects, locking } = options;
  const longestDue = (from: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`select * from (
    select j.job_id, j.project_id, j.lease_owner, j.due_at,
      project.is_left and j.due_at > ${youngest(yielding)} as "isYielded"
    from ${from} where j.project_id = turn.project_id and j.due_at <= project.due_before
      and (j.lease_until is null or j.lease_until <= now())
      and (j.lease_owner is null or now() - pg_postmaster_start_time() > ${takeOverAfterMs} * interval '1 millisecond')
      -- An expired lease counts until it is taken over: its holder may still renew it.
      and (${limit} = 0 or case when j.lease_until is null then turn.held else turn.live end < ${limit})
      and ${condition}
    order by j.due_at, j.job_id limit 1 ${locking}
  ) longest_due`;
  return sql`${plannedOnceRepeated} with recursive leases as (
    select project_id, lease_owner, lease_until > now() as is_live from jobs where lease_until is not null
  ),
  leased as (
    select project_id, count(*) as held, count(*) filter (where is_live) as live from leases group by project_id
  ),
  begun as (
    select job_id, takeovers, ${isStopDueSql} as is_stop_due, lease_owner = ${owner} and lease_until > now() as is_own
    from runs join jobs using (job_id) where phase <> 'ended'
  ),
  ready as (
    select name from workers where name <> ${owner} and ${isPresent}
      and slots > (select count(*) from leases where lease_owner = name and is_live)
  ),
  due (project_id, due_at) as (${projects}),
  -- Materialized, because the order counts: the next project is looked at only if this one has no job to claim.
  turn as materialized (
    select project_id, coalesce(live, 0) as live, coalesce(held, 0) as held, worker
    from due left join leased using (project_id) left join claims using (project_id)
    order by coalesce(live, 0), claimed_at nulls first, due_at
  ),
  next as (
    select found.* from turn,
      lateral (
        select *, case when is_left and not ${yielding.isLastSlot} then ${youngest(yielding)} else now() end as due_before from (
          select ${canCallGitHub} as can_call, exists (select from ready where name = turn.worker)
            and repository_id <> all(${yielding.repositoryIds}::bigint[]) as is_left
          from projects join installations using (installation_id) where project_id = turn.project_id
        ) facts limit 1
      ) project,
      lateral (
        ${longestDue(
          sql`jobs j join begun using (job_id)`,
          sql`(is_stop_due or project.can_call)
            and (takeovers = 0 or not exists (select from begun again where again.is_own and again.takeovers > 0))`,
        )}
        union all
        ${longestDue(
          sql`jobs j`,
          sql`project.can_call and not exists (select from runs r where r.job_id = j.job_id and r.phase <> 'ended')`,
        )}
        limit 1
      ) found
    limit 1
  )`;
};

/** One index probe for each project. */
const dueProjects = (except: readonly string[]) => sql`
    (select project_id, due_at from jobs where due_at <= now() and project_id <> all(${except})
      order by project_id, due_at limit 1)
    union all
    select later.* from due, lateral (
      select j.project_id, j.due_at from jobs j
      where j.due_at <= now() and j.project_id > due.project_id and j.project_id <> all(${except})
      order by j.project_id, j.due_at limit 1
    ) later`;

async function findNextProject(
  database: Database,
  { except, ...claimer }: Claimer & { except: string[] },
): Promise<string | undefined> {
  const next = findNext({ ...claimer, projects: dueProjects(except), locking: sql`` });
  const { rows } = await sql<{ projectId: string }>`${next}
    select project_id as "projectId" from next where not "isYielded"`.execute(database);
  return rows[0]?.projectId;
}

async function claimNext(
  database: Database,
  { projectId, ...claimer }: Claimer & { projectId?: string },
): Promise<ClaimedLease | undefined> {
  const { owner, yielding } = claimer;
  const projects = projectId === undefined ? dueProjects([]) : sql`select ${projectId}, now()`;
  const next = findNext({ ...claimer, projects, locking: sql`for update of j skip locked` });
  const { rows } = await sql<{ jobId: null } | ClaimedLease>`${next},
    chosen as (select * from next where not "isYielded"),
    -- Skips a locked row: a concurrent claim writes the same, and a frozen process must not block others.
    noted as (
      update claims set claimed_at = clock_timestamp(), worker = ${owner} where project_id in (
        select c.project_id from claims c join chosen using (project_id) for update of c skip locked
      )
    ),
    first_noted as (
      insert into claims (project_id, claimed_at, worker) select project_id, clock_timestamp(), ${owner} from chosen
      where not exists (select from claims c where c.project_id = chosen.project_id)
      on conflict do nothing
    ),
    notified as (
      select count(pg_notify(${wakeUpChannel}, name)::text) from ready where exists (
        select from jobs j join claims using (project_id) join projects using (project_id)
        where worker = name and j.due_at > ${youngest(yielding)} and j.due_at <= now() and j.lease_until is null
          and repository_id <> all(${yielding.repositoryIds}::bigint[])
      )
    ),
    claimed as (
      update jobs set lease_epoch = lease_epoch + 1, lease_owner = ${owner}, lease_until = ${leaseEnd}
      from chosen where jobs.job_id = chosen.job_id
      returning jobs.job_id as "jobId", jobs.project_id as "projectId", jobs.lease_epoch as epoch,
        chosen.lease_owner <> ${owner} is true as "isTakeover",
        (extract(epoch from now() - chosen.due_at) * 1000)::float8 as "waitedMs"
    )
    select claimed.* from notified left join claimed on true`.execute(database);
  const [row] = rows;
  return row?.jobId ? row : undefined;
}
