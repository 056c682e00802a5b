import { z } from 'zod';
import { automationName } from '../../../ids.ts';
import { createJob } from '../../../jobs/create-job.ts';
import {
  describeClosed,
  fetchPullRequestNow,
  type UnarchiveResult,
  unarchiveJob,
} from '../../../jobs/unarchive-job.ts';
import { listJobs } from '../../../store/lists/list-jobs.ts';
import { inTransaction } from '../../../store/store.ts';
import { jobStatuses } from '../../../store/tables/columns.ts';
import type { Job } from '../../../store/tables/jobs/jobs.ts';
import { findProject } from '../../../store/tables/repositories/projects.ts';
import { HttpProblem, retryLater } from '../../problem.ts';
import { idempotencyHeader, ofAcceptance } from '../description/parameters.ts';
import { acceptanceHeaders, describeResponse, withExample } from '../description/responses.ts';
import { type ApiParts, type Endpoint, projectPath } from '../endpoint.ts';
import { digestImages, maxBodyBytes } from '../messages/message-body.ts';
import { acceptOncePerKey } from '../requests/accept-once-per-key.ts';
import { countParameter, describePage, pageParameters, readPageQuery } from '../requests/lists.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { readQuery, readRequest } from '../requests/read-request.ts';
import { describeRefusal, fetchInTime, formatRateLimit, repositoryGone } from '../requests/refusal.ts';
import { archiveEndpoint, cancelEndpoint, describeResult } from './job-actions.ts';
import { createJobBody } from './job-body.ts';
import { activeJobExample, jobSchema, modelExample, readRequestedJob, toJobResource } from './job-resource.ts';

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
  answers: { 200: describePage('jobs', jobSchema) },
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

/** A webhook may be applied while GitHub is asked. */
const tries = 3;

const unarchiveEndpoint: Endpoint = {
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

const createJobEndpoint: Endpoint = {
  method: 'post',
  path: '/job',
  ignoresQuery: true,
  operationId: 'createJob',
  summary: 'Create a job',
  description: 'Starts a job, which runs in the background. Poll it until its status is no longer `active`.',
  tag: 'jobs',
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
  problems: [...ofAcceptance],
  createHandler({ config, keyWaits, changes }) {
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
        const location = `${projectPath.replace('{projectId}', call.projectId)}/job/${result.job.job_id}`;
        const headers = { ...formatRateLimit(result.rate), Location: location };
        return { status: 201, headers, body: toJobResource(result.job, call.apiKey, config.github.webUrl) };
      });
    };
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
