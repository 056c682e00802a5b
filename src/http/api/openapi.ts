import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ProblemKind } from '../problem.ts';
import { describeProblems, describeResponse, rateLimitHeaders } from './openapi-responses.ts';
import { createRequestSchemas } from './request-schemas.ts';
import { jobIdExample, jobSchema, projectIdExample, runsSchema } from './resource-schemas.ts';

const projectId = z
  .string()
  .meta({ description: 'The project that the API key belongs to.', example: projectIdExample });
const jobId = z.string().meta({ description: 'The `id` of the job.', example: jobIdExample });
const ofProject = { path: z.object({ projectId }) };
const ofJob = { path: z.object({ projectId, jobId }) };

const always: ProblemKind[] = ['unauthorized', 'not-found', 'internal', 'unavailable'];
const ofBody: ProblemKind[] = ['invalid-request', 'content-too-large', 'unsupported-media-type'];
const ofAcceptance: ProblemKind[] = ['repository-gone', 'rate-limited'];
const public_ = { security: [], tags: ['operation'] };
const health = z.looseObject({ status: z.literal('ok') });

/** The description of the API in OpenAPI 3.1, made of the schemas that check its requests. https://spec.openapis.org/oas/v3.1.1 */
export function createOpenApi(options: { models: [string, ...string[]] }) {
  const { createJob, addMessage } = createRequestSchemas(options);
  const jobs: ZodOpenApiOperationObject = {
    operationId: 'createJob',
    summary: 'Give an instruction',
    description: 'Starts a job. It is worked on in the background: ask for it until its status is no longer `active`.',
    tags: ['jobs'],
    requestParams: ofProject,
    requestBody: { required: true, content: { 'application/json': { schema: createJob } } },
    responses: {
      201: describeResponse('The job, accepted.', jobSchema, {
        ...rateLimitHeaders,
        Location: z.string().meta({ description: 'The path of the job.' }),
      }),
      ...describeProblems(...ofBody, ...ofAcceptance, ...always),
    },
  };
  const message: ZodOpenApiOperationObject = {
    operationId: 'addMessage',
    summary: 'Give a job another instruction',
    description: 'A live run is handed it at its next turn; else a new run works on the same branch and pull request.',
    tags: ['jobs'],
    requestParams: ofJob,
    requestBody: { required: true, content: { 'application/json': { schema: addMessage } } },
    responses: {
      200: describeResponse('The job, active.', jobSchema, rateLimitHeaders),
      ...describeProblems(...ofBody, 'job-archived', ...ofAcceptance, 'too-many-waiting', ...always),
    },
  };
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'Pagewright', version: packageJson.version, description: packageJson.description },
    security: [{ apiKey: [] }],
    tags: [
      { name: 'jobs', description: 'Instructions, and what became of them.' },
      { name: 'operation', description: 'For whoever runs the service.' },
    ],
    paths: {
      '/v2/agent/{projectId}/job': { post: jobs },
      '/v2/agent/{projectId}/job/{jobId}': { get: describeJob('getJob', 'Ask for a job', 'The job.') },
      '/v2/agent/{projectId}/job/{jobId}/message': { post: message },
      '/v2/agent/{projectId}/job/{jobId}/cancel': {
        post: describeJob('cancelJob', 'Stop a job', 'The job. It may be active until its run has stopped.'),
      },
      '/v2/agent/{projectId}/job/{jobId}/archive': {
        post: describeJob('archiveJob', 'End a job for good', 'The job, archived.'),
      },
      '/v2/agent/{projectId}/job/{jobId}/runs': {
        get: {
          operationId: 'listRuns',
          summary: 'Ask what happened in a job',
          tags: ['jobs'],
          requestParams: ofJob,
          responses: {
            200: describeResponse('All its runs and messages.', runsSchema),
            ...describeProblems(...always),
          },
        },
      },
      '/openapi.json': { get: describeHealth('getOpenApi', 'This description', z.looseObject({})) },
      '/metrics': { get: describeMetrics },
      '/livez': { get: describeHealth('getLiveness', 'Whether the process answers', health) },
      '/readyz': {
        get: {
          ...describeHealth('getReadiness', 'Whether it should be sent requests', health),
          responses: { 200: describeResponse('It should.', health), ...describeProblems('unavailable') },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of the project, `pagewright_…`, from `npm run keys`.',
        },
        metricsToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The METRICS_TOKEN of the service; without one, only programs on its own machine are answered.',
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
  summary: 'What Prometheus is told',
  tags: ['operation'],
  responses: {
    200: describeResponse('The figures of this process.', z.string(), {}, 'text/plain'),
    ...describeProblems('unauthorized', 'not-found'),
  },
};

const describeHealth = (operationId: string, summary: string, schema: z.ZodType): ZodOpenApiOperationObject => ({
  ...public_,
  operationId,
  summary,
  responses: { 200: describeResponse('As described.', schema) },
});
