import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { isDatabaseUnavailable } from '../store/postgres/availability.ts';

/** `pointer` is a JSON Pointer into the request body, as a URI fragment. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** `urn:pagewright:problem:<kind>` is the `type` of a problem. Kinds and statuses never change: clients rely on them. */
export const httpProblemKinds = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Authentication required' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request too slow' },
  'job-archived': { status: 409, title: 'Job archived' },
  'pull-request-closed': { status: 409, title: 'Pull request closed' },
  'repository-gone': { status: 409, title: 'Repository not accessible' },
  'github-refused': { status: 409, title: 'Refused by GitHub' },
  broken: { status: 409, title: 'Automation broken' },
  paused: { status: 409, title: 'Automation paused' },
  'idempotency-key-in-use': { status: 409, title: 'First request still in progress' },
  'too-many-webhooks': { status: 409, title: 'Too many webhooks' },
  'webhook-disabled': { status: 409, title: 'Webhook disabled' },
  'webhook-test-running': { status: 409, title: 'Webhook test in progress' },
  'webhooks-not-configured': { status: 409, title: 'Webhooks not configured' },
  'events-gone': { status: 410, title: 'Events removed' },
  'length-required': { status: 411, title: 'Content-Length required' },
  'content-too-large': { status: 413, title: 'Request body too large' },
  'unsupported-media-type': { status: 415, title: 'Request body is not JSON' },
  'expectation-failed': { status: 417, title: 'Expectation not supported' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency-Key of another request' },
  'budget-exhausted': { status: 429, title: 'Budget exhausted' },
  'rate-limited': { status: 429, title: 'Rate limit exceeded' },
  'too-many-waiting': { status: 429, title: 'Too many waiting messages' },
  'too-many-streams': { status: 429, title: 'Too many open streams' },
  'headers-too-large': { status: 431, title: 'URL and headers too large' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const;

export type HttpProblemKind = keyof typeof httpProblemKinds;

/** Every 503 carries it, in seconds. */
export const retryLater = { 'Retry-After': '5' };

/** An error response in the form of RFC 9457. https://www.rfc-editor.org/rfc/rfc9457 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly kind: HttpProblemKind;
  readonly headers: Record<string, string>;
  /** Members in addition to the standard ones. */
  readonly extensions: object;

  /** `detail` tells the caller what is wrong and what to do. */
  constructor(
    kind: HttpProblemKind,
    detail: string,
    {
      headers = kind === 'unavailable' ? retryLater : {},
      extensions = {},
      cause,
    }: { headers?: Record<string, string>; extensions?: object; cause?: unknown } = {},
  ) {
    super(detail, { cause });
    this.kind = kind;
    this.headers = headers;
    this.extensions = extensions;
  }
}

/** Turns any error into a problem. Hides the message of an unexpected error, which may hold secrets. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  // Thrown by express's router for a path with broken percent-encoding.
  if (error instanceof URIError) return new HttpProblem('invalid-request', 'The URL path is not valid.');
  if (isDatabaseUnavailable(error))
    return new HttpProblem('unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', {
      cause: error,
    });
  return new HttpProblem('internal', 'Internal error. Ask the operator to search the logs for the id in `instance`.', {
    cause: error,
  });
}

/** The response body. `error` repeats `detail` for clients of the older format. */
export function formatProblem({ kind, message, extensions }: HttpProblem, requestId: string) {
  const { status, title } = httpProblemKinds[kind];
  return {
    type: `urn:pagewright:problem:${kind}`,
    title,
    status,
    detail: message,
    instance: `urn:uuid:${requestId}`,
    error: message,
    ...extensions,
  };
}

export const problemType = 'application/problem+json; charset=utf-8';

/** Answers with a problem, unless the client has left. */
export function sendProblem(response: ServerResponse, problem: HttpProblem, requestId: string): void {
  if (response.destroyed) return;
  const body = JSON.stringify(formatProblem(problem, requestId));
  response.writeHead(httpProblemKinds[problem.kind].status, {
    ...problem.headers,
    'Content-Type': problemType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  response.end(body);
}

/** The last handler of a route: answers OPTIONS, and every method that the route does not support with 405. */
export function allowOnly(...methods: string[]): RequestHandler {
  const all = methods.toSorted().flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...all, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS')
      throw new HttpProblem('method-not-allowed', `Use one of: ${allow}.`, { headers: { Allow: allow } });
    response.status(204).set('Allow', allow).end();
  };
}
