import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { inMs, msBetween } from '../../postgres/moments.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import type { FailingName } from '../repositories/check-tables.ts';
import { changeRows } from '../rows.ts';
import type { Row } from '../schema.ts';
import { projectChannel } from './events.ts';

export type HeadChecks = Row<'head_checks'>;

/** GitHub told of a check of this commit: it is asked soon. False: that was so before. A new commit starts anew. */
export async function makeLookDue(
  tx: Database,
  { jobId, sha, afterMs }: { jobId: string; sha: string; afterMs: number },
): Promise<boolean> {
  const soon = inMs(afterMs);
  const { numAffectedRows } = await sql`
    insert into head_checks as known (job_id, sha, due_at) values (${jobId}, ${sha}, ${soon})
    on conflict (job_id) do update set
      sha = excluded.sha,
      -- What a look under way was told may be older: it stays due, and stores nothing.
      due_at = case when known.sha = excluded.sha and known.due_at < now() then now() else ${soon} end,
      since = case when known.sha = excluded.sha then known.since else now() end,
      failed_at = case when known.sha = excluded.sha then known.failed_at end,
      state = case when known.sha = excluded.sha then known.state end
    where known.sha <> excluded.sha or known.due_at is null or known.due_at not between now() and ${soon}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Null `afterMs`: nothing is open. Does nothing if GitHub told more since `looked` was read. */
export async function storeLook(
  tx: Database,
  { job_id, sha, due_at }: HeadChecks,
  { afterMs, hasFailed }: { afterMs: number | null; hasFailed: boolean },
): Promise<void> {
  const change = {
    due_at: afterMs === null ? null : inMs(afterMs),
    failed_at: hasFailed ? sql`coalesce(failed_at, now())` : null,
  };
  const isUnchanged = sql`date_trunc('milliseconds', due_at) = ${due_at}`;
  await changeRows(tx, 'head_checks', { job_id, sha }, change, isUnchanged);
}

/** How long each has been failing and known, by the database's clock; undefined: it is not due. */
export async function readDueLook(
  tx: Database,
  jobId: string,
): Promise<(HeadChecks & { failedMs: number | null; ageMs: number }) | undefined> {
  const clock = sql`clock_timestamp()`;
  const { rows } = await sql<HeadChecks & { failedMs: number | null; ageMs: number }>`
    select *, ${msBetween(sql`failed_at`, clock)} as "failedMs", ${msBetween(sql`since`, clock)} as "ageMs"
    from head_checks where job_id = ${jobId} and due_at <= ${clock}`.execute(tx);
  return rows[0];
}

/** Those that no entry of the queue takes. */
export async function listDueLooks({ database, queue }: Stored, limit: number): Promise<string[]> {
  const { rows } = await sql<{ job_id: string }>`
    select job_id from head_checks
    where due_at <= now() and ${isUnqueued(queue, 'look', { jobId: sql`job_id` })}
    order by due_at limit ${limit}`.execute(database);
  return rows.map((row) => row.job_id);
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
