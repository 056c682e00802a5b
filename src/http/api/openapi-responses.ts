import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type ProblemKind, problemKinds } from '../problem.ts';
import { problemSchema } from './resource-schemas.ts';

const requestId = z
  .uuid()
  .meta({ description: 'The id of the request, also in the log.', header: { id: 'request-id' } });
const retryAfter = z
  .string()
  .meta({ description: 'When to try again, in seconds.', header: { id: 'retry-after' }, example: '5' });
const challenge = z.string().meta({ description: 'How to authenticate.', header: { id: 'www-authenticate' } });
const draft = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11';

/** Headers of the two routes whose requests are counted, on every answer unless there is no limit. */
export const rateLimitHeaders = {
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({
      description: `Quota and window in seconds. ${draft}`,
      header: { id: 'ratelimit-policy' },
      example: '"project";q=100;w=3600',
    }),
  RateLimit: z
    .string()
    .optional()
    .meta({
      description: `What is left, and for how many seconds. ${draft}`,
      header: { id: 'ratelimit' },
      example: '"project";r=99;t=1800',
    }),
};

const headersOf: Partial<Record<ProblemKind, z.ZodRawShape>> = {
  unauthorized: { 'WWW-Authenticate': challenge },
  'rate-limited': { 'Retry-After': retryAfter, ...rateLimitHeaders },
  'too-many-waiting': { 'Retry-After': retryAfter },
  unavailable: { 'Retry-After': retryAfter },
};

/** A good answer, in JSON unless it says otherwise. */
export function describeResponse(
  description: string,
  schema: z.ZodType,
  headers: z.ZodRawShape = {},
  contentType = 'application/json',
): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({ 'x-request-id': requestId, ...headers }),
    content: { [contentType]: { schema } },
  };
}

/** The problems that an operation may answer with, by status; kinds of one status are one response with an example each. */
export function describeProblems(...kinds: ProblemKind[]): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(kinds, (kind) => problemKinds[kind].status);
  return Object.fromEntries([...byStatus].map(([status, same]) => [String(status), describeProblem(same)]));
}

function describeProblem(kinds: ProblemKind[]): ZodOpenApiResponseObject {
  const headers = Object.assign({ 'x-request-id': requestId }, ...kinds.map((kind) => headersOf[kind]));
  return {
    description: kinds.map((kind) => problemKinds[kind].title).join(', or: '),
    headers: z.object(headers),
    content: {
      'application/problem+json': {
        schema: problemSchema,
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: exampleOf(kind) }])),
      },
    },
  };
}

function exampleOf(kind: ProblemKind) {
  const { status, title } = problemKinds[kind];
  const detail = 'One sentence that says what is wrong and what to do.';
  const instance = 'urn:uuid:0b0f2a4e-9f57-4d0a-8a51-6d1c9f4e7b1a';
  return { type: `urn:pagewright:problem:${kind}`, title, status, detail, instance, error: detail };
}
