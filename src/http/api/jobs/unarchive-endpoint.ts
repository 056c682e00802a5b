import {
  describeClosed,
  fetchPullRequestNow,
  type UnarchiveResult,
  unarchiveJob,
} from '../../../jobs/unarchive-job.ts';
import { inTransaction } from '../../../store/store.ts';
import type { Job } from '../../../store/tables/jobs/jobs.ts';
import { findProject } from '../../../store/tables/repositories/projects.ts';
import { HttpProblem, retryLater } from '../../problem.ts';
import type { ApiParts, Endpoint } from '../endpoint.ts';
import { fetchInTime } from '../requests/fetch-in-time.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { repositoryGone } from '../requests/refusal.ts';
import { describeResult } from './job-actions.ts';
import { toJobResource } from './job-resource.ts';
import { readRequestedJob } from './read-job.ts';

/** A webhook may be applied while GitHub is asked. */
const tries = 3;

export const unarchiveEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/unarchive',
  operationId: 'unarchiveJob',
  summary: 'Unarchive a job',
  description:
    'The job becomes `completed` and takes messages again. Asks GitHub: the pull request must be open. A job that is not archived does not change.',
  tag: 'jobs',
  answers: describeResult('unarchived', 'unchanged'),
  problems: ['pull-request-closed', 'repository-gone', 'github-refused'],
  createHandler: (parts) => async (call) => {
    for (let left = tries; left > 0; left -= 1) {
      const job = await call.withDeadline((storeInTime) => readRequestedJob(storeInTime, call));
      const result =
        job.status === 'archived' ? await tryUnarchive(parts, call, job) : ({ kind: 'unchanged', job } as const);
      if (result.kind === 'changed') continue;
      const unarchived = toJob(result);
      const headers = { 'Pagewright-Result': result.kind };
      return { status: 200, headers, body: toJobResource(unarchived, call.apiKey, parts.config.github.webUrl) };
    }
    throw new HttpProblem('unavailable', 'This job’s pull request is changing on GitHub. Try again in a few seconds.', {
      headers: retryLater,
    });
  },
};

async function tryUnarchive({ openProject }: ApiParts, call: Call, job: Job): Promise<UnarchiveResult> {
  const project = await call.withDeadline(({ database }) => findProject(database, job.project_id));
  if (!project) throw resourceNotFound();
  if (project.removed_at) return { kind: 'project_gone' };
  const pullRequest = await fetchInTime(call, (signal) => fetchPullRequestNow(openProject, { project, job, signal }));
  return call.withDeadline((storeInTime) =>
    inTransaction(storeInTime, (storeTx) => unarchiveJob(storeTx, job, pullRequest)),
  );
}

function toJob(result: Exclude<UnarchiveResult, { kind: 'changed' }>): Job {
  switch (result.kind) {
    case 'project_gone':
      throw repositoryGone();
    case 'closed':
      throw new HttpProblem('pull-request-closed', describeClosed(result));
    default:
      return result.job;
  }
}
