import { z } from 'zod';
import { createJob } from '../../../jobs/create-job.ts';
import { idempotencyHeader, ofAcceptance } from '../description/parameters.ts';
import { acceptanceHeaders, describeResponse, withExample } from '../description/responses.ts';
import { type Endpoint, projectPath } from '../endpoint.ts';
import { digestImages, maxBodyBytes } from '../messages/message-body.ts';
import { acceptOncePerKey } from '../requests/accept-once-per-key.ts';
import { readRequest } from '../requests/read-request.ts';
import { describeRefusal, formatRateLimit } from '../requests/refusal.ts';
import { createJobBody } from './job-body.ts';
import { activeJobExample, jobSchema, modelExample, toJobResource } from './job-resource.ts';

export const createJobEndpoint: Endpoint = {
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
        Location: z.string().meta({ description: 'The path of the job.' }),
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
