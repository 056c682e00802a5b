import { z } from 'zod';
import { archiveLockedJob, closePullRequest } from '../../../jobs/archive-job.ts';
import { type StopResult, stopRun } from '../../../jobs/cancel-job.ts';
import { inTransaction } from '../../../store/store.ts';
import { lockJob } from '../../../store/tables/jobs/jobs.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readQuery } from '../requests/read-request.ts';
import { jobSchema, readRequestedJob, toJobResource } from './job-resource.ts';

/** What an action did, in the header `Pagewright-Result`. */
export const describeResult = (...results: string[]) => ({
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

export const cancelEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/cancel',
  operationId: 'cancelJob',
  summary: 'Cancel a job',
  description:
    'Stops the current run and drops waiting messages. `cancelled`: the job is `failed`. `cancelling`: it becomes `failed` within seconds. `publishing`: its run finishes publishing first. `unchanged`: it was not `active`.',
  tag: 'jobs',
  answers: describeResult('cancelled', 'cancelling', 'publishing', 'unchanged'),
  createHandler:
    ({ config }) =>
    (call) =>
      call.withDeadline(async (storeInTime) => {
        const { job_id: jobId } = await readRequestedJob(storeInTime, call);
        const { kind, job } = await inTransaction(storeInTime, async (storeTx) =>
          stopRun(storeTx, await lockJob(storeTx.tx, jobId)),
        );
        const headers = { 'Pagewright-Result': stopResults[kind] };
        return { status: 200, headers, body: toJobResource(job, call.apiKey, config.github.webUrl) };
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

export const archiveEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/archive',
  operationId: 'archiveJob',
  summary: 'Archive a job',
  description:
    'Ends the job. Its branch stays on GitHub, and its pull request stays open, unless `close` is `true`. `archived`: it was not archived before. `closing`: its pull request is being closed. `unchanged`: it was archived before.',
  tag: 'jobs',
  query,
  answers: describeResult('archived', 'closing', 'unchanged'),
  createHandler:
    ({ config }) =>
    async (call) => {
      const isClosing = readQuery(call, query).close === 'true';
      const author = call.apiKey.name;
      return call.withDeadline(async (storeInTime) => {
        const { job_id: jobId } = await readRequestedJob(storeInTime, call);
        const { job, result } = await inTransaction(storeInTime, async (storeTx) => {
          const before = await lockJob(storeTx.tx, jobId);
          const archived = await archiveLockedJob(storeTx, before, 'requested');
          const isToClose = isClosing && (await closePullRequest(storeTx, archived, { author }));
          return {
            job: archived,
            result: isToClose ? 'closing' : before.status === 'archived' ? 'unchanged' : 'archived',
          };
        });
        const headers = { 'Pagewright-Result': result };
        return { status: 200, headers, body: toJobResource(job, call.apiKey, config.github.webUrl) };
      });
    },
};
