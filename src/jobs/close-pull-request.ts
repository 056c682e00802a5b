import { intendAnswer } from '../effects/intend-answer.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';

/**
 * Promises to close the pull request of a job that was archived on request, once for each time it is archived. A run that was just stopped may have
 * opened it: then its branch finds it. Returns false if there is nothing to close, or that was done. The job must be locked.
 */
export async function closePullRequest(store: StoreTx, job: Job, { author }: { author: string }): Promise<boolean> {
  const { job_id: jobId, archived_at: archivedAt, pull_request_number: pullRequest, branch } = job;
  if (job.archive_reason !== 'requested' || archivedAt === null || branch === null) return false;
  return intendAnswer(store, {
    jobId,
    asker: { author, source: 'api', deliveryId: null },
    key: `archive:${archivedAt.getTime()}:close`,
    answer: { kind: 'close', pullRequest, branch },
    isOnItsWay: pullRequest === null,
  });
}
