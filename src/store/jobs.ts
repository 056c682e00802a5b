import { type Kysely, sql } from 'kysely';
import type { Change, NewRow, Row, Tables } from './schema.ts';

export type Job = Row<'jobs'>;

export function insertJob(tx: Kysely<Tables>, job: NewRow<'jobs'>): Promise<Job> {
  return tx.insertInto('jobs').values(job).returningAll().executeTakeFirstOrThrow();
}

export function findJob(
  tx: Kysely<Tables>,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<Job | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
}

/** Locks the job until the transaction ends. Every story takes this lock first, so they happen one after another. */
export function lockJob(tx: Kysely<Tables>, jobId: string): Promise<Job | undefined> {
  return tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).forUpdate().executeTakeFirst();
}

export function updateJob(tx: Kysely<Tables>, jobId: string, change: Change<'jobs'>): Promise<Job> {
  return tx.updateTable('jobs').set(change).where('job_id', '=', jobId).returningAll().executeTakeFirstOrThrow();
}

/** The job that a pull request belongs to: by its number, else by the branch it comes from. */
export function findJobOfPullRequest(
  tx: Kysely<Tables>,
  { projectId, number, branch }: { projectId: string; number: number; branch: string },
): Promise<Job | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((where) =>
      where.or([
        where('pull_request_number', '=', number),
        where.and([where('pull_request_number', 'is', null), where('branch', '=', branch)]),
      ]),
    )
    .orderBy(sql`pull_request_number is null`)
    .executeTakeFirst();
}

/** The jobs of a project that are not archived. */
export async function listOpenJobIds(tx: Kysely<Tables>, projectId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('jobs')
    .select('job_id')
    .where('project_id', '=', projectId)
    .where('status', '<>', 'archived')
    .execute();
  return rows.map((row) => row.job_id);
}
