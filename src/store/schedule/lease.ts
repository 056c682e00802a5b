import { sql } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Job } from '../tables/jobs/jobs.ts';
import { isStopDueSql } from '../tables/jobs/runs.ts';

/** A worker’s right to work on one job. The next claim raises the epoch: this lease can then write nothing. */
export interface Lease {
  jobId: string;
  projectId: string;
  epoch: number;
  /** The previous worker did not release the lease. */
  isTakeover: boolean;
}

type Renewal = { kind: 'held'; stopRequested: boolean } | { kind: 'lost' };

export const leaseEnd = sql<Date>`now() + ${realTiming.lease.durationMs} * interval '1 millisecond'`;

const hasStopDue = sql<boolean>`exists (select from runs where runs.job_id = jobs.job_id and ${isStopDueSql})`;

/** Also extends an expired lease, but not a released one: that would keep the next worker out. */
export async function renewLease(database: Database, { jobId, epoch }: Lease): Promise<Renewal> {
  const { rows } = await sql<{ stopRequested: boolean }>`
    update jobs set lease_until = ${leaseEnd}
    where job_id = ${jobId} and lease_epoch = ${epoch} and lease_owner is not null
    returning ${hasStopDue} as "stopRequested"`.execute(database);
  return rows[0] ? { kind: 'held', stopRequested: rows[0].stopRequested } : { kind: 'lost' };
}

/** Locks the job first. Throws `LeaseLost` without running `work` if another worker holds it. */
export async function inLease<T>(
  database: Database,
  { jobId, epoch }: Lease,
  work: (tx: Tx, job: Job) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (tx) => {
    const job = await tx
      .updateTable('jobs')
      .set({ lease_until: leaseEnd })
      .where(({ and }) => and({ job_id: jobId, lease_epoch: epoch }))
      // A released lease is lost, even before the next claim.
      .where('lease_owner', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    if (!job) throw new LeaseLost(`the lease ${epoch} on ${jobId} is lost`);
    return work(tx, job);
  });
}

/** A run to stop is due at once. The next claim is no takeover. Does nothing with a lost lease. */
export async function releaseLease(
  database: Database,
  { jobId, epoch }: Lease,
  { delayMs }: { delayMs: number },
): Promise<void> {
  const later = sql<Date>`greatest(due_at, now() + ${delayMs} * interval '1 millisecond')`;
  await database
    .updateTable('jobs')
    .set({
      lease_owner: null,
      lease_until: null,
      due_at: sql<Date>`case when ${hasStopDue} then now() else ${later} end`,
    })
    .where(({ and }) => and({ job_id: jobId, lease_epoch: epoch }))
    .where('due_at', 'is not', null)
    .execute();
}
