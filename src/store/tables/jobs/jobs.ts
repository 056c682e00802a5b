import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { plannedOnce } from '../../postgres/send-statement.ts';
import type { JobStatus } from '../columns.ts';
import type { ColumnChange, Row } from '../schema.ts';

export type Job = Row<'jobs'>;

const now = sql<Date>`now()`;

export async function findJob(
  tx: Database,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<Job | undefined> {
  const { rows } = await sql<Job>`${plannedOnce}
    select * from jobs where job_id = ${jobId} and project_id = ${projectId}`.execute(tx);
  return rows[0];
}

export const listJobsById = (
  tx: Database,
  { projectId, jobIds }: { projectId: string; jobIds: readonly string[] },
): Promise<Job[]> =>
  tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('job_id', '=', sql<string>`any(${jobIds})`)
    .execute();

export const findJobById = (tx: Database, jobId: string): Promise<Job | undefined> =>
  tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirst();

/** Lock in this order only, to avoid deadlocks: installation, project, job. Throws if the job does not exist. */
export async function lockJob(tx: Database, jobId: string): Promise<Job> {
  const job = await tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).forUpdate().executeTakeFirst();
  if (!job) throw new Error(`job ${jobId} does not exist`);
  return job;
}

export function updateJob(tx: Database, jobId: string, change: ColumnChange<'jobs'>): Promise<Job> {
  return tx.updateTable('jobs').set(change).where('job_id', '=', jobId).returningAll().executeTakeFirstOrThrow();
}

export async function isJobLeased(tx: Database, jobId: string): Promise<boolean> {
  const leased = await tx
    .selectFrom('jobs')
    .select('job_id')
    .where('job_id', '=', jobId)
    .where('lease_until', '>', now)
    .executeTakeFirst();
  return leased !== undefined;
}

/** A job that is due later stays so: a message does not end a rate limit of GitHub. */
export function makeJobDue(tx: Database, jobId: string, status: JobStatus): Promise<Job> {
  return updateJob(tx, jobId, { status, due_at: sql<Date>`coalesce(due_at, now())` });
}

export function releaseJob(
  tx: Database,
  jobId: string,
  { status, isDue }: { status: JobStatus; isDue: boolean },
): Promise<Job> {
  return updateJob(tx, jobId, { status, due_at: isDue ? now : null, lease_owner: null, lease_until: null });
}

/** Raises the lease epoch, so that the holder can write nothing more. */
export function stopJob(tx: Database, jobId: string, status: JobStatus): Promise<Job> {
  return updateJob(tx, jobId, {
    status,
    archived_at: status === 'archived' ? now : null,
    due_at: null,
    lease_epoch: sql<number>`lease_epoch + 1`,
    lease_owner: null,
    lease_until: null,
  });
}

/** An open job without a recorded pull request may just have opened it, so without `branch` it matches any pull request. */
export async function hasJobOfPullRequest(
  tx: Database,
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

/** Finds it by number, else by branch. */
export function findJobOfPullRequest(
  tx: Database,
  { projectId, number, branch }: { projectId: string; number: number; branch: string | undefined },
): Promise<Job | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((where) => {
      const isKnown = where('pull_request_number', '=', number);
      if (branch === undefined) return isKnown;
      return where.or([isKnown, where.and([where('pull_request_number', 'is', null), where('branch', '=', branch)])]);
    })
    .orderBy(sql`pull_request_number is null`)
    .executeTakeFirst();
}

/** The newest job that people asked for on an issue, or on a pull request of somebody else, unless it is archived. */
export function findJobAskedOn(
  tx: Database,
  { projectId, number }: { projectId: string; number: number },
): Promise<Job | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where(({ and }) => and({ project_id: projectId, asked_on: number }))
    .where('status', '<>', 'archived')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether a message of this source is one of a job that was asked for there, archived or not. */
export async function hasMessageAskedOn(
  tx: Database,
  { projectId, number, sourceKey }: { projectId: string; number: number; sourceKey: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('jobs')
    .innerJoin('messages', 'messages.job_id', 'jobs.job_id')
    .select('message_id')
    .where(({ and }) => and({ project_id: projectId, asked_on: number, source_key: sourceKey }))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** All at once: the end of a run holds the lock of its job when it counts what the project used. */
export function lockOpenJobs(tx: Database, projectId: string): Promise<Job[]> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', '<>', 'archived')
    .orderBy('job_id')
    .forUpdate()
    .execute();
}

/** Its pull request is open, or was closed within 90 days and may be reopened. */
export const isReconciled = sql<boolean>`(
  pull_request_number is not null and (status <> 'archived' or archive_reason = 'closed')
  and (archived_at is null or archived_at > now() - interval '90 days')
)`;

export function listJobsWithPullRequest(tx: Database, projectId: string): Promise<Job[]> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(isReconciled)
    .orderBy('job_id')
    .execute();
}
