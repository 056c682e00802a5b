import { archiveJob } from '../../../jobs/archive-job.ts';
import { cancelJob } from '../../../jobs/cancel-job.ts';
import { inTransaction, type Store } from '../../../store/store.ts';
import type { Job } from '../../../store/tables/jobs.ts';
import { always, ofJob } from '../description/parameters.ts';
import { describeProblems, describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { createJobEndpoint } from './create-job-endpoint.ts';
import { jobSchema, toJobResource } from './job-resource.ts';
import { listJobsEndpoint } from './list-jobs-endpoint.ts';
import { readJob } from './read-job.ts';

/** An endpoint that has no body and answers with the job. */
function createJobAction(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  description: { operationId: string; summary: string; answer: string },
  act: (store: Store, job: Job) => Promise<Job>,
): Endpoint {
  const { operationId, summary, answer } = description;
  return {
    method,
    path,
    operation: {
      operationId,
      summary,
      tags: ['jobs'],
      requestParams: ofJob,
      responses: { 200: describeResponse(answer, jobSchema), ...describeProblems(...always) },
    },
    createHandler:
      ({ config }) =>
      (call) =>
        call.withDeadline(async (storeInTime) => {
          const job = await act(storeInTime, await readJob(storeInTime, call));
          return { status: 200, body: toJobResource(job, call.apiKey, config.github.webUrl) };
        }),
  };
}

const getJob = createJobAction(
  { method: 'get', path: '/job/{jobId}' },
  { operationId: 'getJob', summary: 'Get a job', answer: 'The job.' },
  async (_store, job) => job,
);

const cancel = createJobAction(
  { method: 'post', path: '/job/{jobId}/cancel' },
  {
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    answer: 'The job. It stays active until its run has stopped.',
  },
  (store, { job_id: jobId }) => cancelJob(store, jobId),
);

const archive = createJobAction(
  { method: 'post', path: '/job/{jobId}/archive' },
  { operationId: 'archiveJob', summary: 'Archive a job', answer: 'The archived job.' },
  (store, { job_id: jobId }) => inTransaction(store, (storeTx) => archiveJob(storeTx, jobId, 'requested')),
);

export const jobEndpoints: readonly Endpoint[] = [createJobEndpoint, listJobsEndpoint, getJob, cancel, archive];
