import { archiveJob } from '../jobs/archive-job.ts';
import { reopenJob } from '../jobs/reopen-job.ts';
import type { StoreTx } from '../store/store.ts';
import { type Job, lockJob, updateJob } from '../store/tables/jobs.ts';

/** How a pull request is on GitHub, as of `updatedAt`. */
export interface PullRequestState {
  state: 'open' | 'closed';
  merged: boolean;
  /** The branch that it targets now. */
  base: string;
  updatedAt: Date;
  /** It was closed in our name, and nobody asked for that. */
  isClosedByUs: boolean;
  /** Somebody else has just opened it again. */
  isReopened: boolean;
}

/**
 * Makes a job what its pull request is. Applies only what is no older than what was applied last, so that any order of deliveries ends
 * alike. Throws when a delivery of the same second that says otherwise was applied since the job was read as `known`: GitHub has to be
 * asked how the pull request is now.
 */
export async function applyPullRequest(
  { tx, queue }: StoreTx,
  known: Pick<Job, 'job_id' | 'pull_request_updated_at'>,
  now: PullRequestState,
): Promise<string | undefined> {
  const job = await lockJob(tx, known.job_id);
  const last = job.pull_request_updated_at?.getTime() ?? 0;
  if (last > now.updatedAt.getTime()) {
    if (!isReopenedSince(job, now)) return 'a newer event was applied before';
    await reopenJob(tx, job.job_id);
    return undefined;
  }
  const isTied = last === now.updatedAt.getTime() && last !== known.pull_request_updated_at?.getTime();
  const isSo = (now.state === 'open') === (job.status !== 'archived') && now.base === job.base;
  if (isTied && !isSo) throw new Error(`another delivery changed ${job.job_id} meanwhile`);
  await updateJob(tx, job.job_id, { pull_request_updated_at: now.updatedAt, base: now.base });
  if (now.state === 'open') {
    // A job that was archived by request stays archived, although its pull request was never closed.
    if (now.isReopened || job.archive_reason === 'closed') await reopenJob(tx, job.job_id);
  }
  // A push that leaves nothing to merge closes a pull request in our name.
  else if (!now.merged && now.isClosedByUs) return 'closed by ourselves';
  else await archiveJob({ tx, queue }, job.job_id, now.merged ? 'merged' : 'closed');
  return undefined;
}

/**
 * Whether somebody reopened the pull request after the job was archived by request. A newer event that was applied before can only have
 * said that it is open: after a close or a merge, that would be the reason by now.
 */
function isReopenedSince(
  { archive_reason: reason, archived_at: archivedAt }: Job,
  { isReopened, updatedAt }: PullRequestState,
): boolean {
  return isReopened && reason === 'requested' && archivedAt !== null && archivedAt < updatedAt;
}
