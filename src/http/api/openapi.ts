import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ProblemKind } from '../problem.ts';
import { jobIdExample, jobSchema, modelExample } from './job-resource.ts';
import { describeProblems, describeResponse, rateLimitHeaders } from './openapi-responses.ts';
import { createRequestSchemas } from './request-schemas.ts';
import { runsSchema } from './runs-resource.ts';

const projectId = z
  .string()
  .meta({ description: 'The project of the API key.', example: 'prj_01jd2x7q1hexaatpv3g5d9smwn' });
const jobId = z.string().meta({ description: 'The id of the job.', example: jobIdExample });
const ofProject = { path: z.object({ projectId }) };
const ofJob = { path: z.object({ projectId, jobId }) };

const always: ProblemKind[] = ['unauthorized', 'not-found', 'internal', 'unavailable'];
const ofBody: ProblemKind[] = [
  'invalid-request',
  'request-timeout',
  'length-required',
  'content-too-large',
  'unsupported-media-type',
];
const ofAcceptance: ProblemKind[] = ['repository-gone', 'rate-limited'];
const public_ = { security: [], tags: ['operation'] };
const health = z.looseObject({ status: z.literal('ok') });

/** Describes the API with the same schemas that check its requests. Public, so it names no model. https://spec.openapis.org/oas/v3.1.1 */
export function createOpenApi() {
  const { createJob, addMessage } = createRequestSchemas({ models: [modelExample] });
  const jobs: ZodOpenApiOperationObject = {
    operationId: 'createJob',
    summary: 'Create a job',
    description: 'Starts a job, which runs in the background. Poll it until its status is no longer `active`.',
    tags: ['jobs'],
    requestParams: ofProject,
    requestBody: { required: true, content: { 'application/json': { schema: createJob } } },
    responses: {
      201: describeResponse('The new job.', jobSchema, {
        ...rateLimitHeaders,
        Location: z.string().meta({ description: 'The path of the job.' }),
      }),
      ...describeProblems(...ofBody, ...ofAcceptance, ...always),
    },
  };
  const message: ZodOpenApiOperationObject = {
    operationId: 'addMessage',
    summary: 'Send a follow-up message',
    description:
      'A live run receives the message at its next turn. Otherwise a new run starts, on the same branch and pull request.',
    tags: ['jobs'],
    requestParams: ofJob,
    requestBody: { required: true, content: { 'application/json': { schema: addMessage } } },
    responses: {
      200: describeResponse('The job, now active.', jobSchema, rateLimitHeaders),
      ...describeProblems(...ofBody, 'job-archived', ...ofAcceptance, 'too-many-waiting', ...always),
    },
  };
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'Pagewright', version: packageJson.version, description: packageJson.description },
    security: [{ apiKey: [] }],
    tags: [
      { name: 'jobs', description: 'Send instructions and follow their progress.' },
      { name: 'operation', description: 'For operators of the service.' },
    ],
    paths: {
      '/v2/agent/{projectId}/job': { post: jobs },
      '/v2/agent/{projectId}/job/{jobId}': { get: describeJob('getJob', 'Get a job', 'The job.') },
      '/v2/agent/{projectId}/job/{jobId}/message': { post: message },
      '/v2/agent/{projectId}/job/{jobId}/cancel': {
        post: describeJob('cancelJob', 'Cancel a job', 'The job. It stays active until its run has stopped.'),
      },
      '/v2/agent/{projectId}/job/{jobId}/archive': {
        post: describeJob('archiveJob', 'Archive a job', 'The archived job.'),
      },
      '/v2/agent/{projectId}/job/{jobId}/runs': {
        get: {
          operationId: 'listRuns',
          summary: 'List the runs of a job',
          tags: ['jobs'],
          requestParams: ofJob,
          responses: {
            200: describeResponse('The runs, messages and effects of the job.', runsSchema),
            ...describeProblems(...always),
          },
        },
      },
      '/openapi.json': { get: describeHealth('getOpenApi', 'Get this description', z.looseObject({})) },
      '/metrics': { get: describeMetrics },
      '/livez': { get: describeHealth('getLiveness', 'Check whether the process is alive', health) },
      '/readyz': {
        get: {
          ...describeHealth('getReadiness', 'Check whether the service is ready for requests', health),
          responses: { 200: describeResponse('Ready.', health), ...describeProblems('unavailable') },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the project, `pagewright_…`, created with `npm run keys`.',
        },
        metricsToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The METRICS_TOKEN of the service. Without one, `/metrics` answers only requests from the same machine.',
        },
      },
    },
  });
}

const describeJob = (operationId: string, summary: string, description: string): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  tags: ['jobs'],
  requestParams: ofJob,
  responses: { 200: describeResponse(description, jobSchema), ...describeProblems(...always) },
});

const describeMetrics: ZodOpenApiOperationObject = {
  security: [{}, { metricsToken: [] }],
  operationId: 'getMetrics',
  summary: 'Get metrics for Prometheus',
  tags: ['operation'],
  responses: {
    200: describeResponse('The metrics of this process.', z.string(), {}, 'text/plain'),
    ...describeProblems('unauthorized', 'not-found'),
  },
};

const describeHealth = (operationId: string, summary: string, schema: z.ZodType): ZodOpenApiOperationObject => ({
  ...public_,
  operationId,
  summary,
  responses: { 200: describeResponse('OK.', schema) },
});
