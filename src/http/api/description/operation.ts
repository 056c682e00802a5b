import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { describeProblemResponses, describeResponse } from './responses.ts';

const health = z.looseObject({ status: z.literal('ok') });

const describePublic = (
  operationId: string,
  summary: string,
  schema: z.ZodType,
  contentType = 'application/json',
): ZodOpenApiOperationObject => ({
  security: [],
  operationId,
  summary,
  tags: ['operation'],
  responses: {
    200: describeResponse('OK.', schema, {}, contentType),
    ...describeProblemResponses('headers-too-large'),
  },
});

/** Routes for operators of the service. */
export const describeOperation: ZodOpenApiPathsObject = {
  '/openapi.json': { get: describePublic('getOpenApi', 'Get this description', z.looseObject({})) },
  '/docs': { get: describePublic('getReference', 'Read this description as a page', z.string(), 'text/html') },
  '/metrics': {
    get: {
      security: [{}, { metricsToken: [] }],
      operationId: 'getMetrics',
      summary: 'Get metrics for Prometheus',
      tags: ['operation'],
      responses: {
        200: describeResponse('The metrics of this process.', z.string(), {}, 'text/plain'),
        ...describeProblemResponses('unauthorized', 'not-found'),
      },
    },
  },
  '/livez': { get: describePublic('getLiveness', 'Check whether the process is alive', health) },
  '/readyz': {
    get: {
      ...describePublic('getReadiness', 'Check whether the service is ready for requests', health),
      responses: {
        200: describeResponse('Ready.', health),
        ...describeProblemResponses('headers-too-large', 'unavailable'),
      },
    },
  },
};
