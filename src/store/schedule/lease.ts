import { sql } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { inMs } from '../postgres/moments.ts';
import type { Job } from '../tables/jobs/jobs.ts';
import { isStopDueSql } from '../tables/jobs/runs.ts';
import { changeRow, changeRows } from '../tables/rows.ts';

/** A worker’s right to work on one job. The next claim raises the epoch: this lease can then write nothing. */
export interface Lease {
  jobId: string;
  projectId: string;
  epoch: number;
  /** The previous worker did not release the lease. */
  isTakeover: boolean;
}

type Renewal = { kind: 'held'; stopRequested: boolean } | { kind: 'lost' };

export const leaseEnd = inMs(realTiming.lease.durationMs);

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
    // A released lease is lost, even before the next claim.
    const isHeld = sql`lease_owner is not null`;
    const job = await changeRow(tx, 'jobs', { job_id: jobId, lease_epoch: epoch }, { lease_until: leaseEnd }, isHeld);
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
  const dueAt = sql`case when ${hasStopDue} then now() else greatest(due_at, ${inMs(delayMs)}) end`;
  const released = { lease_owner: null, lease_until: null, due_at: dueAt };
  await changeRows(database, 'jobs', { job_id: jobId, lease_epoch: epoch }, released, sql`due_at is not null`);
}
