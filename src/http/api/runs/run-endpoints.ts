import { listRunsOfJob } from '../../../store/lists/list-runs.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readRequestedJob } from '../jobs/read-job.ts';
import { pageQuery, readNumberedPage } from '../requests/page-query.ts';
import { readQuery } from '../requests/read-query.ts';
import { listTurnsEndpoint } from './list-turns-endpoint.ts';
import { runsSchema, toRunsResource } from './runs-resource.ts';

const listRuns: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/runs',
  operationId: 'listRuns',
  summary: 'List the runs of a job',
  description: 'Newest first, with their messages and effects, in one snapshot.',
  tag: 'jobs',
  query: pageQuery,
  answers: {
    200: describeResponse('A page of runs.', runsSchema),
  },
  createHandler:
    ({ cursors }) =>
    async (call) => {
      const asked = readQuery(call, pageQuery);
      return call.withDeadline(async (storeInTime) => {
        const { job_id: jobId } = await readRequestedJob(storeInTime, call);
        const list = [call.projectId, 'runs', jobId];
        const { nextCursor, ...runs } = await readNumberedPage({ cursors, list, asked }, (page) =>
          listRunsOfJob(storeInTime.database, jobId, page),
        );
        return { status: 200, body: { ...toRunsResource(runs), nextCursor } };
      });
    },
};

export const runEndpoints: readonly Endpoint[] = [listRuns, listTurnsEndpoint];
