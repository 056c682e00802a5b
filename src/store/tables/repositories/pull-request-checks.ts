import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { agoMs, msBetween, now } from '../../postgres/moments.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import { changeRows } from '../rows.ts';
import type { Row } from '../schema.ts';

export type PullRequestCheck = Row<'pull_request_checks'>;

export interface PullRequestHead {
  projectId: string;
  number: number;
  sha: string;
}

/** Why a head is not checked, now or at all. */
export const replacedHead = 'somebody pushed again';
export const noDocumentation = 'it does not touch the documentation';

/** False: this head was asked for before. */
export async function insertPullRequestCheck(
  tx: Database,
  { projectId, number, sha, base }: PullRequestHead & { base: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('pull_request_checks')
    .values({ project_id: projectId, number, sha, base })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'number', 'sha'])
        // Another base is another question. A head without a check run may get one now: GitHub offers no "Re-run" there.
        .doUpdateSet({ base, ...anew })
        .where(sql<boolean>`pull_request_checks.base <> ${base}
          or (pull_request_checks.state = 'passed' and pull_request_checks.reason <> ${noDocumentation})`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

const anew = {
  state: 'waiting' as const,
  attempt: sql<number>`pull_request_checks.attempt + 1`,
  check_run_id: null,
  reason: null,
  requested_at: now,
  finished_at: null,
};

/** Somebody asks to run it again. Returns the pull requests with this head. */
export async function repeatPullRequestChecks(
  tx: Database,
  { projectId, sha, number }: { projectId: string; sha: string; number?: number },
): Promise<PullRequestHead[]> {
  const rows = await tx
    .updateTable('pull_request_checks')
    .set(anew)
    .where(({ and }) => and({ project_id: projectId, sha, state: 'done', ...(number !== undefined && { number }) }))
    .returning('number')
    .execute();
  return rows.map((row) => ({ projectId, number: row.number, sha }));
}

export async function findPullRequestCheck(
  tx: Database,
  { projectId, number, sha }: PullRequestHead,
): Promise<(PullRequestCheck & { isNewest: boolean; ageMs: number }) | undefined> {
  const { rows } = await sql<PullRequestCheck & { isNewest: boolean; ageMs: number }>`
    select *, ${msBetween(sql`requested_at`, sql`clock_timestamp()`)} as "ageMs",
      not exists (select from pull_request_checks newer where newer.project_id = own.project_id
        and newer.number = own.number and newer.requested_at > own.requested_at) as "isNewest"
    from pull_request_checks own where project_id = ${projectId} and number = ${number} and sha = ${sha}`.execute(tx);
  return rows[0];
}

/** The first result of an attempt counts. */
export async function finishPullRequestCheck(
  tx: Database,
  { project_id, number, sha, attempt }: PullRequestCheck,
  result: { checkRunId: number } | { reason: string },
): Promise<void> {
  const key = { project_id, number, sha, attempt, state: 'waiting' } as const;
  await changeRows(tx, 'pull_request_checks', key, {
    ...('checkRunId' in result
      ? { state: 'done', check_run_id: result.checkRunId }
      : { state: 'passed', reason: result.reason }),
    finished_at: now,
  });
}

/** Those that have waited for a while, and that no entry of the queue takes: it was lost, or its tries have ended. */
export async function listWaitingChecks(
  { database, queue }: Stored,
  { forMs, limit }: { forMs: number; limit: number },
): Promise<PullRequestHead[]> {
  const { rows } = await sql<PullRequestHead>`
    select project_id as "projectId", number, sha from pull_request_checks
    where state = 'waiting' and requested_at < ${agoMs(forMs)}
      and ${isUnqueued(queue, 'check', { projectId: sql`project_id`, number: sql`number::text`, sha: sql`sha` })}
    order by requested_at limit ${limit}`.execute(database);
  return rows;
}
