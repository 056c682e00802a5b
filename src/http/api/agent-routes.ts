import { Router } from 'express';
import type { Config } from '../../config/config.ts';
import { addMessage } from '../../jobs/add-message.ts';
import { archiveJob } from '../../jobs/archive-job.ts';
import { cancelJob } from '../../jobs/cancel-job.ts';
import { createJob } from '../../jobs/create-job.ts';
import { inTransaction, type Store } from '../../store/store.ts';
import { findJob, type Job } from '../../store/tables/jobs.ts';
import type { ReadBody } from '../bodies/read-body.ts';
import { allowOnly } from '../problem.ts';
import { toJobResource } from './job-resource.ts';
import { type Call, createProjectRoute, notFound } from './project-route.ts';
import { readRequest } from './read-request.ts';
import { formatRateLimit, toRefusal } from './refusal.ts';
import { createRequestSchemas } from './request-schemas.ts';
import { readRunsResource } from './runs-resource.ts';

/** The part of the configuration that the API needs. */
export interface ApiConfig {
  role: Config['role'];
  github: Pick<Config['github'], 'webUrl'>;
  openai: Pick<Config['openai'], 'models'>;
  jobRateLimitPerHour: number;
}

/** The routes of a project's jobs. They check a body before they look up the job, so that a bad request does not show which jobs exist. */
export function createAgentRoutes({
  store,
  config,
  readBody,
}: {
  store: Store;
  config: ApiConfig;
  readBody: ReadBody;
}): Router {
  const schemas = createRequestSchemas(config.openai);
  const rateLimit = config.jobRateLimitPerHour;
  const route = createProjectRoute(store);

  const toResource = (job: Job, { apiKey }: Call) => toJobResource(job, apiKey, config.github.webUrl);

  async function readJob({ database }: Store, { request, projectId }: Call): Promise<Job> {
    const { jobId } = request.params;
    // PostgreSQL throws on some characters.
    const isJobId = typeof jobId === 'string' && /^job_[0-9a-z]{26}$/.test(jobId);
    const job = isJobId ? await findJob(database, { projectId, jobId }) : undefined;
    if (!job) throw notFound();
    return job;
  }

  const create = route(async (call) => {
    const { prompt, ref, model, draft } = await readRequest(call, { schema: schemas.createJob, readBody });
    return call.withDeadline(async (storeInTime) => {
      // Nothing may fail after the commit: the job would exist, and its caller get an error.
      const result = await createJob(storeInTime, {
        projectId: call.projectId,
        prompt,
        author: call.apiKey.name,
        base: ref ?? null,
        model: model ?? null,
        models: config.openai.models,
        draft: draft ?? null,
        rateLimit,
      });
      if (result.kind !== 'accepted') throw toRefusal(result);
      const location = `/v2/agent/${call.projectId}/job/${result.job.job_id}`;
      const headers = { ...formatRateLimit(result.rate), Location: location };
      return { status: 201, headers, body: toResource(result.job, call) };
    });
  });

  const read = route((call) =>
    call.withDeadline(async (storeInTime) => ({
      status: 200,
      body: toResource(await readJob(storeInTime, call), call),
    })),
  );

  const message = route(async (call) => {
    const { prompt } = await readRequest(call, { schema: schemas.addMessage, readBody });
    return call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readJob(storeInTime, call);
      const { projectId, apiKey } = call;
      const followUp = { jobId, projectId, source: 'api', author: apiKey.name, prompt, rateLimit } as const;
      const result = await addMessage(storeInTime, followUp);
      if (result.kind !== 'accepted') throw toRefusal(result);
      return { status: 200, headers: formatRateLimit(result.rate), body: toResource(result.job, call) };
    });
  });

  const cancel = route((call) =>
    call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readJob(storeInTime, call);
      return { status: 200, body: toResource(await cancelJob(storeInTime, jobId), call) };
    }),
  );

  const archive = route((call) =>
    call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readJob(storeInTime, call);
      const archived = await inTransaction(storeInTime, (storeTx) => archiveJob(storeTx, jobId, 'requested'));
      return { status: 200, body: toResource(archived, call) };
    }),
  );

  const runs = route((call) =>
    call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readJob(storeInTime, call);
      return { status: 200, body: await readRunsResource(storeInTime.database, jobId) };
    }),
  );

  const jobs = '/v2/agent/:projectId/job';
  const router = Router();
  router.route(jobs).post(create).all(allowOnly('POST'));
  router.route(`${jobs}/:jobId`).get(read).all(allowOnly('GET'));
  router.route(`${jobs}/:jobId/message`).post(message).all(allowOnly('POST'));
  router.route(`${jobs}/:jobId/cancel`).post(cancel).all(allowOnly('POST'));
  router.route(`${jobs}/:jobId/archive`).post(archive).all(allowOnly('POST'));
  router.route(`${jobs}/:jobId/runs`).get(runs).all(allowOnly('GET'));
  return router;
}
