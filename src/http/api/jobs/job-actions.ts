import { z } from 'zod';
import { archiveLockedJob, closePullRequest } from '../../../jobs/archive-job.ts';
import { type StopResult, stopRun } from '../../../jobs/cancel-job.ts';
import {
  describeClosed,
  fetchPullRequestNow,
  type UnarchiveResult,
  unarchiveJob,
} from '../../../jobs/unarchive-job.ts';
import { inTransaction } from '../../../store/store.ts';
import { type Job, lockJob } from '../../../store/tables/jobs/jobs.ts';
import { findProject } from '../../../store/tables/repositories/projects.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import type { ApiParts, Endpoint } from '../endpoint.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { readQuery } from '../requests/read-request.ts';
import { fetchInTime, repositoryGone } from '../requests/refusal.ts';
import { jobSchema, readRequestedJob, replyJob } from './job-resource.ts';

/** What an action did, in the header `Pagewright-Result`. */
const describeResult = (...results: string[]) => ({
  200: describeResponse('The job.', jobSchema, {
    'Pagewright-Result': z.enum(results).meta({ description: 'What the request did.', example: results[0] }),
  }),
});

const stopResults = {
  ended: 'cancelled',
  signalled: 'cancelling',
  publishing: 'publishing',
  idle: 'unchanged',
  overtaken: 'unchanged',
} as const satisfies Record<StopResult['kind'], string>;

const cancelEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/cancel',
  operationId: 'cancelJob',
  summary: 'Cancel a job',
  description:
    'Stops the current run and drops waiting messages. `cancelled`: the job is `failed`. `cancelling`: it becomes `failed` within seconds. `publishing`: its run finishes publishing first. `unchanged`: it was not `active`.',
  answers: describeResult('cancelled', 'cancelling', 'publishing', 'unchanged'),
  handle: (call, parts) =>
    call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readRequestedJob(storeInTime, call);
      const { kind, job } = await inTransaction(storeInTime, async (storeTx) =>
        stopRun(storeTx, await lockJob(storeTx.tx, jobId)),
      );
      return replyJob(job, call, parts, { 'Pagewright-Result': stopResults[kind] });
    }),
};

const query = z.strictObject({
  close: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({
      description: 'Whether to close the pull request on GitHub, too. It stays open otherwise.',
      override: { type: 'boolean', enum: [true, false], default: false },
    }),
});

const archiveEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/archive',
  operationId: 'archiveJob',
  summary: 'Archive a job',
  description:
    'Ends the job. Its branch stays on GitHub, and its pull request stays open, unless `close` is `true`. `archived`: it was not archived before. `closing`: its pull request is being closed. `unchanged`: it was archived before.',
  query,
  answers: describeResult('archived', 'closing', 'unchanged'),
  handle: async (call, parts) => {
    const isClosing = readQuery(call, query).close === 'true';
    const author = call.apiKey.name;
    return call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readRequestedJob(storeInTime, call);
      const { job, result } = await inTransaction(storeInTime, async (storeTx) => {
        const before = await lockJob(storeTx.tx, jobId);
        const archived = await archiveLockedJob(storeTx, before, 'requested');
        const isToClose = isClosing && (await closePullRequest(storeTx, archived, { author }));
        const isSame = before.status === 'archived';
        return { job: archived, result: isToClose ? 'closing' : isSame ? 'unchanged' : 'archived' };
      });
      return replyJob(job, call, parts, { 'Pagewright-Result': result });
    });
  },
};

/** A webhook may be applied while GitHub is asked. */
const tries = 3;

const unarchiveEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/unarchive',
  operationId: 'unarchiveJob',
  summary: 'Unarchive a job',
  description:
    'The job becomes `completed` and takes messages again. Asks GitHub: the pull request must be open. A job that is not archived does not change.',
  answers: describeResult('unarchived', 'unchanged'),
  problems: ['pull-request-closed', 'repository-gone', 'github-refused'],
  handle: async (call, parts) => {
    for (let left = tries; left > 0; left -= 1) {
      const job = await call.withDeadline((storeInTime) => readRequestedJob(storeInTime, call));
      if (job.status !== 'archived') return replyJob(job, call, parts, { 'Pagewright-Result': 'unchanged' });
      const result = await tryUnarchive(parts, call, job);
      if (result.kind === 'changed') continue;
      if (result.kind === 'project_gone') throw repositoryGone();
      if (result.kind === 'closed') throw new HttpProblem('pull-request-closed', describeClosed(result));
      return replyJob(result.job, call, parts, { 'Pagewright-Result': result.kind });
    }
    throw new HttpProblem('unavailable', 'This job’s pull request is changing on GitHub. Try again in a few seconds.');
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

export const actionEndpoints: readonly Endpoint[] = [cancelEndpoint, archiveEndpoint, unarchiveEndpoint];
