import type { OpenProject } from '../projects/open-project.ts';
import type { StoreTx } from '../store/store.ts';
import { type Job, lockJob, updateJob } from '../store/tables/jobs/jobs.ts';
import { lockProject, type Project } from '../store/tables/repositories/projects.ts';
import { reopenJob } from './archive-job.ts';

/** `none`: the job never opened one. */
type PullRequestNow = { kind: 'none' } | { kind: 'open'; updatedAt: Date } | { kind: 'closed'; merged: boolean };

/** Asks GitHub, because a webhook may be late or lost. Throws as `OpenProject`, and if the repository is gone. */
export async function fetchPullRequestNow(
  openProject: OpenProject,
  { project, job, signal }: { project: Project; job: Job; signal: AbortSignal },
): Promise<PullRequestNow> {
  await using access = await openProject(project, { pull_requests: 'read' }, signal);
  const { client } = access;
  const { pull_request_number: number, branch } = job;
  if (number === null && branch === null) {
    await client.fetchRepository();
    return { kind: 'none' };
  }
  const found =
    number === null ? await client.findPullRequest({ branch: branch ?? '' }) : await client.fetchPullRequest(number);
  if (!found) return number === null ? { kind: 'none' } : { kind: 'closed', merged: false };
  if (found.state === 'open' && found.headRepositoryId === project.repository_id)
    return { kind: 'open', updatedAt: found.updatedAt };
  return { kind: 'closed', merged: found.merged };
}

/** `changed`: a webhook was applied after GitHub was asked. `closed`: the pull request has to be reopened first. */
export type UnarchiveResult =
  | { kind: 'unarchived' | 'unchanged'; job: Job }
  | { kind: 'closed'; merged: boolean }
  | { kind: 'project_gone' }
  | { kind: 'changed' };

/** Reopens a job. `jobAsRead`: the job before GitHub was asked about its pull request. Idempotent. */
export async function unarchiveJob(
  { tx }: StoreTx,
  jobAsRead: Job,
  pullRequest: PullRequestNow,
): Promise<UnarchiveResult> {
  const project = await lockProject(tx, jobAsRead.project_id);
  const job = await lockJob(tx, jobAsRead.job_id);
  if (job.status !== 'archived') return { kind: 'unchanged', job };
  if (!project) return { kind: 'project_gone' };
  if (pullRequest.kind === 'closed') return pullRequest;
  const last = job.pull_request_updated_at;
  const isSame =
    job.archive_reason === jobAsRead.archive_reason && last?.getTime() === jobAsRead.pull_request_updated_at?.getTime();
  if (!isSame) return { kind: 'changed' };
  if (pullRequest.kind === 'none' || (last && last > pullRequest.updatedAt))
    return { kind: 'unarchived', job: await reopenJob(tx, job) };
  // A late webhook of an earlier close must not archive it again.
  const updated = await updateJob(tx, job.job_id, { pull_request_updated_at: pullRequest.updatedAt });
  return { kind: 'unarchived', job: await reopenJob(tx, updated) };
}

/** Why the job of a pull request that is not open stays archived. */
export const describeClosed = ({ merged }: { merged: boolean }): string =>
  merged
    ? 'This job’s pull request was merged. Create a new job for further changes.'
    : 'This job’s pull request is closed. Reopen it on GitHub, which also unarchives the job.';
