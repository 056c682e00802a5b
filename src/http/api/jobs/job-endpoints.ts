import { z } from 'zod';
import { automationName } from '../../../ids.ts';
import { listJobs } from '../../../store/lists/list-jobs.ts';
import { jobStatuses } from '../../../store/tables/columns.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { countParameter, describePage, pageParameters, readPageQuery } from '../requests/page-query.ts';
import { readQuery } from '../requests/read-query.ts';
import { createJobEndpoint } from './create-job-endpoint.ts';
import { archiveEndpoint, cancelEndpoint } from './job-actions.ts';
import { jobSchema, toJobResource } from './job-resource.ts';
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

const statusesError = `must be one or more of: ${jobStatuses.join(', ')}; separated by commas`;
/** The largest integer of the column. */
const largestNumber = 2 ** 31 - 1;

const query = z.strictObject({
  status: z
    .string()
    .refine((text) => text.split(',').every((name) => jobStatuses.some((status) => status === name)), statusesError)
    .transform((text) => jobStatuses.filter((status) => text.split(',').includes(status)))
    .optional()
    .meta({
      description: `Only jobs with one of these statuses, separated by commas: ${jobStatuses.map((name) => `\`${name}\``).join(', ')}.`,
      example: 'active,failed',
      override: { type: 'string' },
    }),
  pullRequest: countParameter({ least: 1, most: largestNumber, error: 'must be the number of a pull request' })
    .optional()
    .meta({
      description: 'Only the job of the pull request with this number.',
      override: { type: 'integer', minimum: 1, maximum: largestNumber },
    }),
  automation: z.string().regex(automationName, 'must be the name of an automation').optional().meta({
    description: 'Only the jobs that this automation began.',
    example: 'api-reference',
  }),
  ...pageParameters,
});

const listJobsEndpoint: Endpoint = {
  method: 'get',
  path: '/job',
  operationId: 'listJobs',
  summary: 'List the jobs of the project',
  description: 'Newest first. Jobs that are added meanwhile do not move the others between pages.',
  tag: 'jobs',
  query,
  answers: {
    200: describePage('jobs', jobSchema),
  },
  createHandler:
    ({ config, cursors }) =>
    async (call) => {
      const { projectId, apiKey } = call;
      const { status: statuses, pullRequest, automation, ...asked } = readQuery(call, query);
      const list = [projectId, 'jobs', statuses ?? null, pullRequest ?? null, automation ?? null];
      return call.withDeadline(async ({ database }) => {
        const { items, nextCursor } = await readPageQuery({ cursors, list, asked }, (page) =>
          listJobs(database, { projectId, statuses, pullRequest, automation }, page),
        );
        const jobs = items.map((job) => toJobResource(job, apiKey, config.github.webUrl));
        return { status: 200, body: { jobs, nextCursor } };
      });
    },
};

export const jobEndpoints: readonly Endpoint[] = [
  createJobEndpoint,
  listJobsEndpoint,
  getJobEndpoint,
  cancelEndpoint,
  archiveEndpoint,
  unarchiveEndpoint,
];
