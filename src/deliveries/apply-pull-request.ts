import { closerPermissions } from '../github/calls/people-calls.ts';
import type { PullRequest } from '../github/calls/pull-request-calls.ts';
import { archiveLockedJob, reopenJob } from '../jobs/archive-job.ts';
import type { StoreTx } from '../store/store.ts';
import { type Job, lockJob, updateJob } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { DeliveryParts } from './delivery-context.ts';

export interface PullRequestState {
  state: 'open' | 'closed';
  merged: boolean;
  base: string;
  updatedAt: Date;
  /** A push that leaves nothing to merge closes the pull request in the App's name. */
  isClosedByUs: boolean;
  /** Somebody other than the App has just reopened it. */
  isReopened: boolean;
}

/** Asks GitHub who closed a closed pull request. Throws if the installation does not grant the issues permission, which that takes. */
export async function readPullRequestState(
  { openProject }: DeliveryParts,
  project: Project,
  pullRequest: PullRequest,
  signal: AbortSignal,
): Promise<PullRequestState> {
  const state = { ...pullRequest, isClosedByUs: false, isReopened: false };
  if (pullRequest.state !== 'closed' || pullRequest.merged) return state;
  await using access = await openProject(project, closerPermissions, signal);
  const closer = await access.client.fetchCloser(pullRequest.number);
  // Somebody, or our own run, has just reopened it.
  if (closer === 'nobody') return { ...state, state: 'open' };
  return { ...state, isClosedByUs: closer === 'us' };
}

/**
 * Archives, reopens or retargets a job like its pull request. Ignores a state older than the last one applied: deliveries come in any order.
 * Throws if another state of the same second was applied since the job was read as `jobAsRead`: GitHub must be asked for the current one.
 */
export async function applyPullRequest(
  store: StoreTx,
  jobAsRead: Job,
  pullRequest: PullRequestState,
): Promise<string | undefined> {
  const { tx } = store;
  const job = await lockJob(tx, jobAsRead.job_id);
  const { updatedAt, base } = pullRequest;
  const last = job.pull_request_updated_at?.getTime() ?? 0;
  if (last > updatedAt.getTime()) {
    if (!isReopenedSince(job, pullRequest)) return 'a newer event was already applied';
    await reopenJob(tx, job);
    return undefined;
  }
  const isTied = last === updatedAt.getTime() && last !== jobAsRead.pull_request_updated_at?.getTime();
  const isInLine = (pullRequest.state === 'open') === (job.status !== 'archived') && base === job.base;
  if (isTied && !isInLine) throw new Error(`another delivery changed ${job.job_id} in the meantime`);
  const updated = await updateJob(tx, job.job_id, { pull_request_updated_at: updatedAt, base });
  if (pullRequest.state === 'open') {
    // An open pull request does not reopen a job that was archived by request.
    if (pullRequest.isReopened || job.archive_reason === 'closed') await reopenJob(tx, updated);
    return undefined;
  }
  if (!pullRequest.merged && pullRequest.isClosedByUs) return 'closed by the App itself';
  await archiveLockedJob(store, updated, pullRequest.merged ? 'merged' : 'closed');
  return undefined;
}

/** No close or merge was applied since the archiving: it would have replaced the reason. */
function isReopenedSince(
  { archive_reason: reason, archived_at: archivedAt }: Job,
  { isReopened, updatedAt }: PullRequestState,
): boolean {
  return isReopened && reason === 'requested' && archivedAt !== null && archivedAt < updatedAt;
}
