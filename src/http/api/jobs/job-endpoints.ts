import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { createJobEndpoint } from './create-job-endpoint.ts';
import { archiveEndpoint, cancelEndpoint } from './job-actions.ts';
import { jobSchema, toJobResource } from './job-resource.ts';
import { listJobsEndpoint } from './list-jobs-endpoint.ts';
import { readRequestedJob } from './read-job.ts';
import { unarchiveEndpoint } from './unarchive-endpoint.ts';

const getJobEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}',
  ignoresQuery: true,
  operationId: 'getJob',
  summary: 'Get a job',
  tag: 'jobs',
  answers: { 200: describeResponse('The job.', jobSchema) },
  createHandler:
    ({ config }) =>
    (call) =>
      call.withDeadline(async (storeInTime) => {
        const job = await readRequestedJob(storeInTime, call);
        return { status: 200, body: toJobResource(job, call.apiKey, config.github.webUrl) };
      }),
};

export const jobEndpoints: readonly Endpoint[] = [
  createJobEndpoint,
  listJobsEndpoint,
  getJobEndpoint,
  cancelEndpoint,
  archiveEndpoint,
  unarchiveEndpoint,
];
