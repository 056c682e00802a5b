import { type Kysely, sql } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { isStopDue } from '../tables/runs.ts';
import type { Tables } from '../tables/schema.ts';

/** A worker's right to work on one job. Whoever claims the job next has a higher epoch, and this one can write nothing more. */
export interface Lease {
  jobId: string;
  projectId: string;
  epoch: number;
  /** The worker that held the job before was lost without giving it back. */
  isTakeover: boolean;
}

/** What the holder learns at each renewal. */
export type Renewal = { kind: 'held'; stopRequested: boolean } | { kind: 'lost' };

/** When a lease ends that is taken or renewed now. */
export const leaseEnd = sql<Date>`now() + ${realTiming.lease.durationMs} * interval '1 millisecond'`;

const hasStopDue = sql<boolean>`exists (select from runs where runs.job_id = jobs.job_id and ${isStopDue})`;

/**
 * Makes the lease live longer, also one that ran out but that nobody took over; reads the flags on the way. One that was given
 * back stays so: a late renewal must not keep the next worker out.
 */
export async function renewLease(database: Database, { jobId, epoch }: Lease): Promise<Renewal> {
  const { rows } = await sql<{ stopRequested: boolean }>`
    update jobs set lease_until = ${leaseEnd}
    where job_id = ${jobId} and lease_epoch = ${epoch} and lease_owner is not null
    returning ${hasStopDue} as "stopRequested"`.execute(database);
  return rows[0] ? { kind: 'held', stopRequested: rows[0].stopRequested } : { kind: 'lost' };
}

/**
 * Runs `work` in a transaction that first proves, and locks, the holder's epoch. Throws `LeaseLost` when somebody else has
 * the job now: nothing of `work` happened then.
 */
export async function inLease<T>(
  database: Database,
  { jobId, epoch }: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (tx) => {
    const proof = await tx
      .updateTable('jobs')
      .set({ lease_until: leaseEnd })
      .where('job_id', '=', jobId)
      .where('lease_epoch', '=', epoch)
      // A lease that was given back is lost as well, though nobody has taken the job since.
      .where('lease_owner', 'is not', null)
      .returning('job_id')
      .executeTakeFirst();
    if (!proof) throw new LeaseLost(`the lease ${epoch} on ${jobId} is lost`);
    return work(tx);
  });
}

/**
 * Gives the job back, due again after `delayMs`; at once if its run was asked to stop meanwhile. Whoever takes it next has not
 * taken it over. Does nothing with a lost lease.
 */
export async function releaseLease(
  database: Kysely<Tables>,
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
    .where('job_id', '=', jobId)
    .where('lease_epoch', '=', epoch)
    .where('due_at', 'is not', null)
    .execute();
}
