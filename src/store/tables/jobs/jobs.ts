import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import { plannedOnce } from '../../postgres/send-statement.ts';
import type { JobStatus } from '../columns.ts';
import { changeRow, findRow, hasRow, listRows, lockRow } from '../rows.ts';
import type { ColumnChange, Row } from '../schema.ts';

export type Job = Row<'jobs'>;

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
  listRows(tx, 'jobs', { project_id: projectId }, { by: ['job_id'], and: sql`job_id = any(${jobIds})` });

export const findJobById = (tx: Database, jobId: string): Promise<Job | undefined> =>
  findRow(tx, 'jobs', { job_id: jobId });

/** Lock in this order only, to avoid deadlocks: installation, project, job. Throws if the job does not exist. */
export async function lockJob(tx: Database, jobId: string): Promise<Job> {
  const job = await lockRow(tx, 'jobs', { job_id: jobId });
  if (!job) throw new Error(`job ${jobId} does not exist`);
  return job;
}

export async function updateJob(tx: Database, jobId: string, change: ColumnChange<'jobs'>): Promise<Job> {
  const job = await changeRow(tx, 'jobs', { job_id: jobId }, change);
  if (!job) throw new Error(`job ${jobId} does not exist`);
  return job;
}

export const isJobLeased = (tx: Database, jobId: string): Promise<boolean> =>
  hasRow(tx, 'jobs', { job_id: jobId }, sql`lease_until > now()`);

/** A job that is due later stays so: a message does not end a rate limit of GitHub. */
export const makeJobDue = (tx: Database, jobId: string, status: JobStatus): Promise<Job> =>
  updateJob(tx, jobId, { status, due_at: sql`coalesce(due_at, now())` });

export const releaseJob = (
  tx: Database,
  jobId: string,
  { status, isDue }: { status: JobStatus; isDue: boolean },
): Promise<Job> => updateJob(tx, jobId, { status, due_at: isDue ? now : null, lease_owner: null, lease_until: null });

/** Raises the lease epoch, so that the holder can write nothing more. */
export const stopJob = (tx: Database, jobId: string, status: JobStatus): Promise<Job> =>
  updateJob(tx, jobId, {
    status,
    archived_at: status === 'archived' ? now : null,
    due_at: null,
    lease_epoch: sql`lease_epoch + 1`,
    lease_owner: null,
    lease_until: null,
  });

/** An open job without a recorded pull request may just have opened it, so without `branch` it matches any pull request. */
export async function hasJobOfPullRequest(
  tx: Database,
  { repositoryId, number, branch }: { repositoryId: number; number: number; branch: string | undefined },
): Promise<boolean> {
  const isOfBranch = branch === undefined ? sql`branch is not null and status <> 'archived'` : sql`branch = ${branch}`;
  const { rows } = await sql`
    select from jobs join projects using (project_id)
    where repository_id = ${repositoryId}
      and (pull_request_number = ${number} or (pull_request_number is null and ${isOfBranch}))
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Finds it by number, else by branch. */
export async function findJobOfPullRequest(
  tx: Database,
  { projectId, number, branch }: { projectId: string; number: number; branch: string | undefined },
): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select * from jobs where project_id = ${projectId}
      and (pull_request_number = ${number} or (pull_request_number is null and branch = ${branch ?? null}))
    order by pull_request_number is null`.execute(tx);
  return rows[0];
}

/** The newest job that people asked for on an issue, or on a pull request of somebody else, unless it is archived. */
export async function findJobAskedOn(
  tx: Database,
  { projectId, number }: { projectId: string; number: number },
): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select * from jobs where project_id = ${projectId} and asked_on = ${number} and status <> 'archived'
    order by created_at desc limit 1`.execute(tx);
  return rows[0];
}

/** Whether a message of this source is one of a job that was asked for there, archived or not. */
export async function hasMessageAskedOn(
  tx: Database,
  { projectId, number, sourceKey }: { projectId: string; number: number; sourceKey: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from jobs join messages using (job_id)
    where project_id = ${projectId} and asked_on = ${number} and source_key = ${sourceKey} limit 1`.execute(tx);
  return rows.length > 0;
}

/** All at once: the end of a run holds the lock of its job when it counts what the project used. */
export const lockOpenJobs = (tx: Database, projectId: string): Promise<Job[]> =>
  tx
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', '<>', 'archived')
    .orderBy('job_id')
    .forUpdate()
    .execute();

/** Its pull request is open, or was closed within 90 days and may be reopened. */
export const isReconciled = sql<boolean>`(
  pull_request_number is not null and (status <> 'archived' or archive_reason = 'closed')
  and (archived_at is null or archived_at > now() - interval '90 days')
)`;

export const listJobsWithPullRequest = (tx: Database, projectId: string): Promise<Job[]> =>
  listRows(tx, 'jobs', { project_id: projectId }, { by: ['job_id'], and: isReconciled });
