import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import packageJson from '../../../../package.json' with { type: 'json' };
import { describeEndpoints } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { describeWebhooks } from '../webhooks/describe-webhooks.ts';
import { type ApiDocument, documentShape, type Media, resolveSchema, type Schema } from './document-shape.ts';
import { describeProblemResponses, describeResponse } from './responses.ts';

/** Where the service is, in the examples. */
const placeholder = 'http://127.0.0.1:3000';
const introduction = readFileSync(join(import.meta.dirname, 'introduction.md'), 'utf8');

/** Answers may get new members. Without this, schemas of both requests and answers would have two names. */
const options: CreateDocumentOptions = {
  override({ jsonSchema, io }) {
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
};

/** Describes the API with the same schemas that check its requests. Public, so it names no model. https://spec.openapis.org/oas/v3.1.1 */
export function createOpenApi({ publicUrl = null }: { publicUrl?: string | null } = {}): ApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Pagewright',
        summary: packageJson.description,
        version: packageJson.version,
        description: introduction.replace(placeholder, publicUrl ?? placeholder),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl ?? '/', description: 'This service.' }],
      security: [{ apiKey: [] }],
      tags: [
        { name: 'jobs', description: 'Send instructions and follow their progress.' },
        { name: 'automations', description: 'See and run the standing instructions of the settings.' },
        { name: 'usage', description: 'See the runs, tokens and cost of the project.' },
        { name: 'project', description: 'See what Pagewright knows of the repository.' },
        { name: 'webhooks', description: 'Get notified when jobs end.' },
        { name: 'operation', description: 'For operators of the service.' },
      ],
      paths: { ...describeEndpoints(endpoints), ...describeOperation },
      webhooks: describeWebhooks,
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key of the project, `pagewright_…`, created on the dashboard or with `pagewright keys`.',
          },
          metricsToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The METRICS_TOKEN of the service. Without one, `/metrics` answers only where there is no PUBLIC_URL, and only requests from the same machine.',
          },
        },
      },
    },
    options,
  );
  const described = documentShape.parse(document);
  addExamples(described);
  return described;
}

/** Gives each body without an example one, made of the examples of its schema's fields. */
function addExamples(document: ApiDocument): void {
  for (const methods of [...Object.values(document.paths), ...Object.values(document.webhooks)])
    for (const { requestBody, responses } of Object.values(methods))
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
        for (const media of Object.values(content)) addExample(media, document);
}

function addExample(media: Media, document: ApiDocument): void {
  if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return;
  media.example = createSample(media.schema, document);
}

/** A value that fits the schema. */
function createSample(schema: Schema, document: ApiDocument): unknown {
  const resolved = resolveSchema(schema, document);
  const { example, const: only, enum: [first] = [], anyOf, oneOf, default: usual } = resolved;
  for (const given of [example, only, usual, first]) if (given !== undefined) return given;
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice) return createSample(choice, document);
  const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type;
  switch (type) {
    case 'object': {
      const properties = Object.entries(resolved.properties ?? {});
      return Object.fromEntries(properties.map(([name, field]) => [name, createSample(field, document)]));
    }
    case 'array':
      return resolved.items ? [createSample(resolved.items, document)] : [];
    case 'integer':
    case 'number':
      return resolved.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return resolved.format === 'uri' ? 'https://example.com' : 'text';
    default:
      return {};
  }
}

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
const describeOperation: ZodOpenApiPathsObject = {
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
