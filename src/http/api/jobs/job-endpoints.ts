import { z } from 'zod';
import { automationName } from '../../../ids.ts';
import { createJob } from '../../../jobs/create-job.ts';
import { listJobs } from '../../../store/lists/list-jobs.ts';
import { jobStatuses } from '../../../store/tables/columns.ts';
import { acceptanceHeaders, describeResponse, withExample } from '../description/responses.ts';
import { idempotencyHeader, ofAcceptance } from '../description/shared-schemas.ts';
import type { Endpoint } from '../endpoint.ts';
import { digestImages, maxBodyBytes } from '../messages/message-body.ts';
import { acceptOncePerKey } from '../requests/accept-once-per-key.ts';
import { countParameter, describePage, pageParameters, readPageQuery } from '../requests/lists.ts';
import { readQuery, readRequest } from '../requests/read-request.ts';
import { describeRefusal, formatRateLimit } from '../requests/refusal.ts';
import { actionEndpoints } from './job-actions.ts';
import {
  activeJobExample,
  createJobBody,
  jobSchema,
  modelExample,
  readRequestedJob,
  replyJob,
  replyNewJob,
  toJobResource,
} from './job-resource.ts';

const getJobEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}',
  ignoresQuery: true,
  operationId: 'getJob',
  summary: 'Get a job',
  answers: { 200: describeResponse('The job.', jobSchema) },
  handle: (call, parts) =>
    call.withDeadline(async (storeInTime) => replyJob(await readRequestedJob(storeInTime, call), call, parts)),
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
  query,
  answers: { 200: describePage('jobs', jobSchema) },
  handle: async (call, { config, cursors }) => {
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

const createJobEndpoint: Endpoint = {
  method: 'post',
  path: '/job',
  ignoresQuery: true,
  operationId: 'createJob',
  summary: 'Create a job',
  description: 'Starts a job, which runs in the background. Poll it until its status is no longer `active`.',
  header: idempotencyHeader,
  body: createJobBody({ models: [modelExample], images: true }),
  answers: {
    201: withExample(
      describeResponse('The new job.', jobSchema, {
        ...acceptanceHeaders,
        Location: z.string().describe('The path of the job.'),
      }),
      activeJobExample,
    ),
  },
  problems: ofAcceptance,
  createHandler(parts) {
    const { config, keyWaits, changes } = parts;
    const { models } = config.openai;
    const schema = createJobBody(config.openai);
    const maxBytes = maxBodyBytes(config.openai);
    return async (call) => {
      const { images = [], ...request } = await readRequest(call, { schema, maxBytes });
      const { projectId, left } = call;
      const named = await changes.readAtOnce(request.prompt, { projectId, signal: left });
      const content = images.length === 0 ? request : { ...request, images: digestImages(images) };
      return acceptOncePerKey(call, { target: 'create', body: content, keyWaits }, async (storeInTime) => {
        const { prompt, ref, model, draft } = request;
        // Nothing may fail after the commit: the job would exist, and its caller get an error.
        const result = await createJob(storeInTime, {
          projectId,
          source: 'api',
          prompt,
          changes: named,
          images,
          author: call.apiKey.name,
          keyId: call.apiKey.key_id,
          base: ref ?? null,
          model: model ?? null,
          models,
          draft: draft ?? null,
          ...config.projectLimits,
        });
        if (result.kind !== 'accepted') throw describeRefusal(result);
        return replyNewJob(result.job, call, parts, formatRateLimit(result.rate));
      });
    };
  },
};

export const jobEndpoints: readonly Endpoint[] = [
  createJobEndpoint,
  listJobsEndpoint,
  getJobEndpoint,
  ...actionEndpoints,
];
