import { always, ofJob } from '../description/parameters.ts';
import { describeProblems, describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readJob } from '../jobs/read-job.ts';
import { readRunsResource, runsSchema } from './runs-resource.ts';

const listRuns: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/runs',
  operation: {
    operationId: 'listRuns',
    summary: 'List the runs of a job',
    tags: ['jobs'],
    requestParams: ofJob,
    responses: {
      200: describeResponse('The runs, messages and effects of the job.', runsSchema),
      ...describeProblems(...always),
    },
  },
  createHandler: () => (call) =>
    call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readJob(storeInTime, call);
      return { status: 200, body: await readRunsResource(storeInTime.database, jobId) };
    }),
};

export const runEndpoints: readonly Endpoint[] = [listRuns];
