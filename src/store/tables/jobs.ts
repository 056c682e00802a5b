import { type Kysely, sql } from 'kysely';
import type { ColumnChange, JobStatus, NewRow, Row, Tables } from './schema.ts';

export type Job = Row<'jobs'>;

const now = sql<Date>`now()`;

/** Adds a job that is due at once. */
export function insertJob(tx: Kysely<Tables>, job: NewRow<'jobs'>): Promise<Job> {
  return tx
    .insertInto('jobs')
    .values({ ...job, due_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
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

/**
 * Locks the job until the transaction ends: what changes it happens one after another. Whoever locks more does so in this order, and never
 * goes back: installation, project, job. Two that go opposite ways wait for one another. Throws where there is no such job.
 */
export async function lockJob(tx: Kysely<Tables>, jobId: string): Promise<Job> {
  const job = await tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).forUpdate().executeTakeFirst();
  if (!job) throw new Error(`there is no job ${jobId}`);
  return job;
}

export function updateJob(tx: Kysely<Tables>, jobId: string, change: ColumnChange<'jobs'>): Promise<Job> {
  return tx.updateTable('jobs').set(change).where('job_id', '=', jobId).returningAll().executeTakeFirstOrThrow();
}

/** Whether somebody works on the job right now. */
export async function isJobLeased(tx: Kysely<Tables>, jobId: string): Promise<boolean> {
  const leased = await tx
    .selectFrom('jobs')
    .select('job_id')
    .where('job_id', '=', jobId)
    .where('lease_until', '>', now)
    .executeTakeFirst();
  return leased !== undefined;
}

/** Makes an idle job due. One that is due later goes on waiting: a message does not end GitHub's rate limit. */
export function makeJobDue(tx: Kysely<Tables>, jobId: string, status: JobStatus): Promise<Job> {
  return updateJob(tx, jobId, { status, due_at: sql<Date>`coalesce(due_at, now())` });
}

/** Ends the holder's lease: the job is due again at once, or has nothing to do. */
export function releaseJob(
  tx: Kysely<Tables>,
  jobId: string,
  { status, isDue }: { status: JobStatus; isDue: boolean },
): Promise<Job> {
  return updateJob(tx, jobId, { status, due_at: isDue ? now : null, lease_owner: null, lease_until: null });
}

/** Takes the job from whoever holds it, or comes back to it: a newer epoch lets them write nothing more. Nothing is due then. */
export function stopJob(tx: Kysely<Tables>, jobId: string, status: JobStatus): Promise<Job> {
  return updateJob(tx, jobId, {
    status,
    archived_at: status === 'archived' ? now : null,
    due_at: null,
    lease_epoch: sql<number>`lease_epoch + 1`,
    lease_owner: null,
    lease_until: null,
  });
}

/**
 * Whether a pull request may be one of ours: by its number, else by the branch. While a job that goes on has none on record, because it may
 * have opened one a moment ago, any may be its own: `branch` decides, if it is known.
 */
export async function hasJobOfPullRequest(
  tx: Kysely<Tables>,
  { repositoryId, number, branch }: { repositoryId: number; number: number; branch: string | undefined },
): Promise<boolean> {
  const found = await tx
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.project_id', 'jobs.project_id')
    .select('job_id')
    .where('repository_id', '=', repositoryId)
    .where((where) =>
      where.or([
        where('pull_request_number', '=', number),
        where.and([
          where('pull_request_number', 'is', null),
          branch === undefined
            ? where.and([where('branch', 'is not', null), where('status', '<>', 'archived')])
            : where('branch', '=', branch),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
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

/**
 * A job whose pull request may change without our hearing of it: an open one, and for 90 days a closed one, which may be reopened. Their
 * number must not grow with every job there ever was: all of them are compared with GitHub again and again.
 */
export const isReconciled = sql<boolean>`(
  pull_request_number is not null and (status <> 'archived' or archive_reason = 'closed')
  and (archived_at is null or archived_at > now() - interval '90 days')
)`;

/** Those of a project that are compared with GitHub. */
export function listJobsWithPullRequest(tx: Kysely<Tables>, projectId: string): Promise<Job[]> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(isReconciled)
    .orderBy('job_id')
    .execute();
}
