import { z } from 'zod';
import { isId } from '../../../ids.ts';
import { isBranchName, isOtherRef, stripBranchPrefix } from '../../../repository/is-branch-name.ts';
import type { Store } from '../../../store/store.ts';
import { jobStatuses, messageSources, messageStates } from '../../../store/tables/columns.ts';
import { findJob, type Job } from '../../../store/tables/jobs/jobs.ts';
import {
  component,
  jobIdExample,
  messageIdExample,
  repositoryExample,
  text,
  timeSchema,
} from '../description/shared-schemas.ts';
import { type ApiConfig, toLocation } from '../endpoint.ts';
import { imagesSchema, promptSchema } from '../messages/message-body.ts';
import { type Call, type JsonReply, resourceNotFound } from '../requests/project-route.ts';
import { mustBe } from '../requests/read-request.ts';

export const modelExample = 'your-model';

export const jobSchema = component('Job', {
  id: z.string().meta({ example: jobIdExample }),
  status: z.enum(jobStatuses).meta({ example: 'completed' }),
  source: z.object({
    repository: z.url().meta({ example: repositoryExample }),
    ref: text(
      'The base branch, or the job’s own branch once it exists.',
      'pagewright/the-api-limit-is-100-requests-k6t0mzqa',
    ),
  }),
  model: z.string().meta({ example: modelExample }),
  prLink: z
    .url()
    .nullable()
    .meta({
      description: 'The URL of the pull request. `null` while the job is active, and if there is no pull request.',
      example: `${repositoryExample}/pull/7`,
    }),
  createdAt: timeSchema,
  archivedAt: timeSchema.nullable().meta({ example: null }),
});

type ShownJob = Pick<
  Job,
  'job_id' | 'status' | 'branch' | 'base' | 'model' | 'pull_request_url' | 'created_at' | 'archived_at'
>;

/** A job whose run has not ended. */
export const activeJobExample: z.infer<typeof jobSchema> = {
  id: jobIdExample,
  status: 'active',
  source: { repository: repositoryExample, ref: 'main' },
  model: modelExample,
  prLink: null,
  createdAt: '2026-11-20T20:06:00.000Z',
  archivedAt: null,
};

/** `webUrl` is the address of GitHub's pages, without a trailing slash. */
export function toJobResource(
  job: ShownJob,
  { owner, repo }: { owner: string; repo: string },
  webUrl: string,
): z.infer<typeof jobSchema> {
  return {
    id: job.job_id,
    status: job.status,
    source: { repository: `${webUrl}/${owner}/${repo}`, ref: job.branch ?? job.base },
    model: job.model,
    // Callers poll for a link to learn that the work is done. While a follow-up is active, there may be an older pull request.
    prLink: job.status === 'active' ? null : job.pull_request_url,
    createdAt: job.created_at.toISOString(),
    archivedAt: job.archived_at?.toISOString() ?? null,
  };
}

/** The job of the path. Throws the problem 404 if the project has no such job. */
export async function readRequestedJob({ database }: Store, { request, projectId }: Call): Promise<Job> {
  const { jobId } = request.params;
  const job = isId('job', jobId) ? await findJob(database, { projectId, jobId }) : undefined;
  if (!job) throw resourceNotFound();
  return job;
}

export const readRequestedJobId = async (store: Store, call: Call): Promise<string> =>
  (await readRequestedJob(store, call)).job_id;

/** What every answer that holds messages shows of them. */
export const messageFields = {
  id: z.string().meta({ example: messageIdExample }),
  state: z.enum(messageStates).meta({ example: 'answered' }),
  source: z.enum(messageSources),
  author: text('A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.', 'ci'),
  createdAt: timeSchema,
};

/** The answer that shows a job. */
export const replyJob = (
  job: Job,
  { apiKey }: Call,
  { config }: { config: ApiConfig },
  headers: Record<string, string> = {},
): JsonReply => ({ status: 200, headers, body: toJobResource(job, apiKey, config.github.webUrl) });

/** The answer that shows a job which the request made. */
export function replyNewJob(...[job, call, parts, headers]: Parameters<typeof replyJob>): JsonReply {
  const reply = replyJob(job, call, parts, headers);
  return { ...reply, status: 201, headers: { ...reply.headers, Location: toLocation(call, `/job/${job.job_id}`) } };
}

const ref = z
  .string({ error: mustBe('a string') })
  .refine((name) => !isOtherRef(name), 'must be a branch')
  .overwrite(stripBranchPrefix)
  .refine(isBranchName, 'must be a valid branch name')
  .meta({
    description:
      'The branch to start from, also as `refs/heads/…`, and the target of the pull request. Default: `base` in the repository’s settings, otherwise the default branch.',
    minLength: 1,
    maxLength: 255,
    example: 'main',
  });

const draft = z.boolean({ error: mustBe('true or false') }).meta({
  description:
    'Whether to open the pull request as a draft. Default: `draft` in the repository’s settings, otherwise `false`.',
  example: false,
});

/** The body of a new job. */
export function createJobBody({ models, images: isOn = false }: { models: readonly string[]; images?: boolean }) {
  const allowed = `one of: ${models.join(', ')}`;
  // The schema is not an enum: the public description would list the models.
  const model = z
    .string({ error: mustBe(allowed) })
    .refine((name) => models.includes(name), `must be ${allowed}`)
    .meta({
      description:
        'The model to use, `OPENAI_MODEL` or one of `OPENAI_MODELS`. Default: `model` in the repository’s settings, otherwise `OPENAI_MODEL`.',
      example: modelExample,
    });
  return z
    .strictObject(
      {
        prompt: promptSchema,
        ref: ref.optional(),
        model: model.optional(),
        draft: draft.optional(),
        images: imagesSchema({ isOn }),
      },
      { error: mustBe('a JSON object') },
    )
    .meta({ id: 'CreateJob' });
}
