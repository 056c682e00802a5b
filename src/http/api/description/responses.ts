import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type HttpProblemKind, httpProblemKinds } from '../../problem.ts';
import { text } from './shared-schemas.ts';

const instanceExample = 'urn:uuid:0b0f2a4e-9f57-4d0a-8a51-6d1c9f4e7b1a';

/** RFC 9457. Some problems have members beside these. */
const problemSchema = z
  .looseObject({
    type: text('A stable identifier, for programs.', 'urn:pagewright:problem:invalid-request'),
    title: z.string().meta({ example: 'Invalid request' }),
    status: z.int().min(400).max(599).meta({ example: 400 }),
    detail: z.string().meta({ example: 'Invalid request: prompt is required.' }),
    instance: text(
      'The request id, which is also in the `x-request-id` header and in the service’s log.',
      instanceExample,
    ),
    error: z.string().describe('Same as `detail`.'),
    errors: z
      .array(
        z.object({
          pointer: z.string().optional().meta({ description: 'A JSON Pointer into the body.', example: '#/prompt' }),
          parameter: z.string().optional().meta({ description: 'A parameter of the query.', example: 'limit' }),
          detail: z.string(),
        }),
      )
      .optional()
      .describe('Each invalid field or parameter.'),
  })
  .meta({ id: 'Problem' });

const requestId = z
  .uuid()
  .meta({ description: 'The request id, which is also in the service’s log.', header: { id: 'request-id' } });
const retryAfter = z
  .string()
  .meta({ description: 'Seconds to wait before the next try.', header: { id: 'retry-after' }, example: '5' });
const challenge = z.string().meta({ description: 'How to authenticate.', header: { id: 'www-authenticate' } });
const draft = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11';

/** Absent without a limit. */
const rateLimitHeaders = {
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({
      description: `The quota, and the window in seconds ([draft](${draft})).`,
      header: { id: 'ratelimit-policy' },
      example: '"project";q=100;w=3600',
    }),
  RateLimit: z
    .string()
    .optional()
    .meta({
      description: `The remaining quota, and the seconds until it resets ([draft](${draft})).`,
      header: { id: 'ratelimit' },
      example: '"project";r=99;t=1800',
    }),
};

/** Headers of the routes that accept instructions. */
export const acceptanceHeaders = {
  ...rateLimitHeaders,
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .meta({
      description:
        'The request repeats an earlier one with the same Idempotency-Key. Its answer has no rate limit headers.',
      header: { id: 'idempotency-replayed' },
    }),
};

const headersOf: Partial<Record<HttpProblemKind, z.ZodRawShape>> = {
  unauthorized: { 'WWW-Authenticate': challenge },
  'idempotency-key-in-use': { 'Retry-After': retryAfter.optional() },
  'webhook-test-running': { 'Retry-After': retryAfter },
  'budget-exhausted': { 'Retry-After': retryAfter },
  'rate-limited': { 'Retry-After': retryAfter, ...rateLimitHeaders },
  'too-many-waiting': { 'Retry-After': retryAfter },
  'too-many-streams': { 'Retry-After': retryAfter },
  unavailable: { 'Retry-After': retryAfter },
};

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

export const withExample = (response: ZodOpenApiResponseObject, example: unknown): ZodOpenApiResponseObject => ({
  ...response,
  content: Object.fromEntries(
    Object.entries(response.content ?? {}).map(([type, media]) => [type, { ...media, example }]),
  ),
});

export const describeEmptyResponse = (description: string): ZodOpenApiResponseObject => ({
  description,
  headers: z.object({ 'x-request-id': requestId }),
});

/** The problem responses of an operation, by status. Kinds with the same status share a response, with an example each. */
export function describeProblemResponses(...kinds: HttpProblemKind[]): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(kinds, (kind) => httpProblemKinds[kind].status);
  return Object.fromEntries([...byStatus].map(([status, same]) => [String(status), describeProblem(same)]));
}

function describeProblem(kinds: HttpProblemKind[]): ZodOpenApiResponseObject {
  const headers = Object.assign({ 'x-request-id': requestId }, ...kinds.map((kind) => headersOf[kind]));
  return {
    description: kinds.map((kind) => httpProblemKinds[kind].title).join(', or: '),
    headers: z.object(headers),
    content: {
      'application/problem+json': {
        schema: problemSchema,
        examples: Object.fromEntries(
          kinds.map((kind) => [kind, { description: problemMeanings[kind], value: exampleOf(kind) }]),
        ),
      },
    },
  };
}

function exampleOf(kind: HttpProblemKind) {
  const { status, title } = httpProblemKinds[kind];
  const detail = 'What is wrong, and what to do.';
  return { type: `urn:pagewright:problem:${kind}`, title, status, detail, instance: instanceExample, error: detail };
}

/** What each problem means for a caller, and what to do. docs/api.md has the same table. */
export const problemMeanings: Record<HttpProblemKind, string> = {
  'invalid-request':
    'the request is not valid; `errors` names each bad field by its JSON Pointer, and each bad parameter by its name',
  unauthorized: 'no key, or a key that is wrong, expired or revoked',
  'not-found': 'no such path, project, job, run, webhook or delivery, or the key belongs to another project',
  'method-not-allowed': 'wrong method; `Allow` lists the right ones',
  'request-timeout': 'the request did not arrive in time: headers and body within 10 s each',
  'job-archived': 'the job is archived: unarchive it, or create a new one',
  'pull-request-closed':
    "the job's pull request is closed or merged, so the job stays archived: reopen it on GitHub, or create a new job",
  'repository-gone': 'the App lost access to the repository: install it there again',
  'github-refused': 'GitHub refused what the request needs; `detail` says why',
  broken: 'nothing can trigger the automation; `detail` says why, and what to do',
  paused: 'the automation is paused: resume it first',
  'idempotency-key-in-use':
    'another request with this `Idempotency-Key` has been in progress for 10 s; repeat this one after `Retry-After` seconds',
  'too-many-webhooks': 'the project has 100 webhooks: remove one first',
  'webhook-disabled': 'the webhook is disabled: send a test, and a success enables it again',
  'webhook-test-running': 'a test of this webhook waits for its answer; repeat after `Retry-After` seconds',
  'webhooks-not-configured': 'the service has no key for secrets: its operator has to set `SECRETS_KEY`',
  'events-gone':
    'these events were removed, or the service was restored from a backup; `firstSeq` is the first event that is left: read on with `after=firstSeq - 1`',
  'length-required': 'no `Content-Length`; chunked bodies are not accepted',
  'content-too-large': 'the body is larger than 256 KiB, or than 28 MiB with images',
  'unsupported-media-type': 'the body is not JSON, not UTF-8, or compressed',
  'expectation-failed': 'an `Expect` header other than `100-continue`',
  'idempotency-key-reused': 'the `Idempotency-Key` belongs to a request with another body, route or job',
  'budget-exhausted':
    'the project used up its tokens of this month; retry after `Retry-After` seconds, or ask the operator',
  'rate-limited': 'the project used all requests of this hour; retry after `Retry-After` seconds',
  'too-many-waiting': '20 messages of this job already wait; retry after `Retry-After` seconds',
  'too-many-streams': 'the key has 100 open streams: close some',
  'headers-too-large': 'the URL and the headers together are larger than 16 KiB',
  internal: 'unexpected error: give `instance` to the operator',
  unavailable:
    'the database or GitHub does not answer, or too many bodies or streams are open at once; retry after `Retry-After` seconds',
};
