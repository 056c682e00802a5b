import { closerPermissions } from '../github/calls/people-calls.ts';
import type { PullRequest } from '../github/calls/pull-request-calls.ts';
import { archiveLockedJob, reopenJob } from '../jobs/archive-job.ts';
import type { StoreTx } from '../store/store.ts';
import { type Job, lockJob, updateJob } from '../store/tables/jobs.ts';
import type { Project } from '../store/tables/projects.ts';
import type { DeliveryParts } from './delivery-context.ts';

/** A pull request on GitHub, as of `updatedAt`. */
export interface PullRequestState {
  state: 'open' | 'closed';
  merged: boolean;
  /** The target branch. */
  base: string;
  updatedAt: Date;
  /** The App closed it without merging: a push that left nothing to merge. */
  isClosedByUs: boolean;
  /** The event says that somebody else has just reopened it. */
  isReopened: boolean;
}

/**
 * Completes what GitHub answered about a pull request. Who closed it takes a token with permission for issues, so GitHub is asked only if
 * the pull request is closed: an installation may not grant that. Throws `GitHubRefusal` `permission_missing` then.
 */
export async function readPullRequestState(
  { openProject }: DeliveryParts,
  project: Project,
  pullRequest: PullRequest,
  signal: AbortSignal,
): Promise<PullRequestState> {
  const state = { ...pullRequest, isClosedByUs: false, isReopened: false };
  if (pullRequest.state !== 'closed' || pullRequest.merged) return state;
  await using access = await openProject(project, closerPermissions, signal);
  return { ...state, isClosedByUs: await access.client.isClosedByUs(pullRequest.number) };
}

/**
 * Brings a job in line with its pull request: archives, reopens or retargets it. Ignores a state that is older than the last one applied, so
 * deliveries may come in any order. Throws if a different state of the same second was applied after the job was read as `known`: ask GitHub
 * for the current state then.
 */
export async function applyPullRequest(
  store: StoreTx,
  known: Job,
  pullRequest: PullRequestState,
): Promise<string | undefined> {
  const { tx } = store;
  const job = await lockJob(tx, known.job_id);
  const { updatedAt, base } = pullRequest;
  const last = job.pull_request_updated_at?.getTime() ?? 0;
  if (last > updatedAt.getTime()) {
    if (!isReopenedSince(job, pullRequest)) return 'a newer event was applied before';
    await reopenJob(tx, job);
    return undefined;
  }
  const isTied = last === updatedAt.getTime() && last !== known.pull_request_updated_at?.getTime();
  const isInLine = (pullRequest.state === 'open') === (job.status !== 'archived') && base === job.base;
  if (isTied && !isInLine) throw new Error(`another delivery changed ${job.job_id} in the meantime`);
  const updated = await updateJob(tx, job.job_id, { pull_request_updated_at: updatedAt, base });
  if (pullRequest.state === 'open') {
    // An open pull request does not reopen a job that was archived by request.
    if (pullRequest.isReopened || job.archive_reason === 'closed') await reopenJob(tx, updated);
    return undefined;
  }
  if (!pullRequest.merged && pullRequest.isClosedByUs) return 'closed by ourselves';
  await archiveLockedJob(store, updated, pullRequest.merged ? 'merged' : 'closed');
  return undefined;
}

/**
 * Whether the pull request was reopened after the job was archived by request. No close or merge was applied since then: it would have
 * replaced the reason.
 */
function isReopenedSince(
  { archive_reason: reason, archived_at: archivedAt }: Job,
  { isReopened, updatedAt }: PullRequestState,
): boolean {
  return isReopened && reason === 'requested' && archivedAt !== null && archivedAt < updatedAt;
}
