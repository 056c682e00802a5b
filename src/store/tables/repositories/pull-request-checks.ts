import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
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
  requested_at: sql<Date>`now()`,
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
    .where(({ and }) => and({ project_id: projectId, sha, state: 'done' }))
    .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
    .returning('number')
    .execute();
  return rows.map((row) => ({ projectId, number: row.number, sha }));
}

export const findPullRequestCheck = (
  tx: Database,
  { projectId, number, sha }: PullRequestHead,
): Promise<(PullRequestCheck & { isNewest: boolean; ageMs: number }) | undefined> =>
  tx
    .selectFrom('pull_request_checks')
    .selectAll()
    .select([
      sql<boolean>`not exists (select from pull_request_checks newer where newer.project_id = pull_request_checks.project_id
        and newer.number = pull_request_checks.number and newer.requested_at > pull_request_checks.requested_at)`.as(
        'isNewest',
      ),
      sql<number>`(extract(epoch from clock_timestamp() - requested_at) * 1000)::float8`.as('ageMs'),
    ])
    .where(({ and }) => and({ project_id: projectId, number, sha }))
    .executeTakeFirst();

/** The first result of an attempt counts. */
export async function finishPullRequestCheck(
  tx: Database,
  { project_id: projectId, number, sha, attempt }: PullRequestCheck,
  result: { checkRunId: number } | { reason: string },
): Promise<void> {
  await tx
    .updateTable('pull_request_checks')
    .set({
      ...('checkRunId' in result
        ? { state: 'done' as const, check_run_id: result.checkRunId }
        : { state: 'passed' as const, reason: result.reason }),
      finished_at: sql<Date>`now()`,
    })
    .where(({ and }) => and({ project_id: projectId, number, sha, attempt, state: 'waiting' }))
    .execute();
}

/** Those that have waited for a while, and that no entry of the queue takes: it was lost, or its tries have ended. */
export async function listWaitingChecks(
  { database, queue }: Stored,
  { forMs, limit }: { forMs: number; limit: number },
): Promise<PullRequestHead[]> {
  const rows = await database
    .selectFrom('pull_request_checks')
    .select(['project_id', 'number', 'sha'])
    .where('state', '=', 'waiting')
    .where('requested_at', '<', sql<Date>`now() - ${forMs} * interval '1 millisecond'`)
    .where(isUnqueued(queue, 'check', { projectId: sql`project_id`, number: sql`number::text`, sha: sql`sha` }))
    .orderBy('requested_at')
    .limit(limit)
    .execute();
  return rows.map(({ project_id: projectId, number, sha }) => ({ projectId, number, sha }));
}
