import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import type { FailingName } from '../repositories/check-tables.ts';
import type { Row } from '../schema.ts';
import { projectChannel } from './events.ts';

export type HeadChecks = Row<'head_checks'>;

/** GitHub told of a check of this commit: it is asked soon. False: that was so before. A new commit starts anew. */
export async function makeLookDue(
  tx: Database,
  { jobId, sha, afterMs }: { jobId: string; sha: string; afterMs: number },
): Promise<boolean> {
  const soon = sql<Date>`now() + ${afterMs} * interval '1 millisecond'`;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('head_checks')
    .values({ job_id: jobId, sha, due_at: soon })
    .onConflict((conflict) =>
      conflict
        .column('job_id')
        .doUpdateSet({
          sha,
          // What a look under way was told may be older: it stays due, and stores nothing.
          due_at: sql<Date>`case when head_checks.sha = ${sha} and head_checks.due_at < now() then now() else ${soon} end`,
          since: sql<Date>`case when head_checks.sha = ${sha} then head_checks.since else now() end`,
          failed_at: sql<Date | null>`case when head_checks.sha = ${sha} then head_checks.failed_at end`,
          state: sql<HeadChecks['state']>`case when head_checks.sha = ${sha} then head_checks.state end`,
        })
        .where(sql<boolean>`head_checks.sha <> ${sha} or head_checks.due_at is null
          or head_checks.due_at not between now() and ${soon}`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Null `afterMs`: nothing is open. Does nothing if GitHub told more since `looked` was read. */
export async function storeLook(
  tx: Database,
  looked: HeadChecks,
  { afterMs, hasFailed }: { afterMs: number | null; hasFailed: boolean },
): Promise<void> {
  await tx
    .updateTable('head_checks')
    .set({
      due_at: afterMs === null ? null : sql<Date>`now() + ${afterMs} * interval '1 millisecond'`,
      failed_at: hasFailed ? sql<Date>`coalesce(failed_at, now())` : null,
    })
    .where(({ and }) => and({ job_id: looked.job_id, sha: looked.sha }))
    .where(sql<boolean>`date_trunc('milliseconds', due_at) = ${looked.due_at}`)
    .execute();
}

/** How long each has been failing and known, by the database's clock; undefined: it is not due. */
export async function readDueLook(
  tx: Database,
  jobId: string,
): Promise<(HeadChecks & { failedMs: number | null; ageMs: number }) | undefined> {
  const since = (column: 'failed_at' | 'since') =>
    sql<number>`(extract(epoch from clock_timestamp() - ${sql.ref(column)}) * 1000)::float8`;
  return tx
    .selectFrom('head_checks')
    .selectAll()
    .select([sql<number | null>`${since('failed_at')}`.as('failedMs'), since('since').as('ageMs')])
    .where('job_id', '=', jobId)
    .where('due_at', '<=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}

/** Those that no entry of the queue takes. */
export async function listDueLooks({ database, queue }: Stored, limit: number): Promise<string[]> {
  const due = await database
    .selectFrom('head_checks')
    .select('job_id')
    .where('due_at', '<=', sql<Date>`now()`)
    .where(isUnqueued(queue, 'look', { jobId: sql`job_id` }))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return due.map((row) => row.job_id);
}

/** What GitHub said of the checks of a commit, for those who watch the list of jobs. */
export async function storeCheckState(
  tx: Database,
  { job_id: jobId, sha }: HeadChecks,
  { state, failing }: { state: HeadChecks['state']; failing: readonly FailingName[] },
): Promise<void> {
  await sql`
    with changed as (
      update head_checks set state = ${state}, failing = ${JSON.stringify(failing)}::json
      where job_id = ${jobId} and sha = ${sha}
        and (state, failing::text) is distinct from (${state}::text, ${JSON.stringify(failing)})
      returning job_id
    )
    select pg_notify(${projectChannel}, project_id) from jobs join changed using (job_id)`.execute(tx);
}
