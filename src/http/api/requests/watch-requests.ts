import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Log } from '../../../log.ts';
import { type HttpProblem, sendProblem, toProblem } from '../../problem.ts';

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD';
const isProbe = ({ url = '' }: IncomingMessage) => url === '/livez' || url === '/readyz' || url === '/metrics';

/**
 * Gives each request an id, which the response carries as `x-request-id`, and logs method, path, status and duration. Never logs headers,
 * bodies or queries: they may hold keys.
 */
export function logRequests(log: Log) {
  return pinoHttp({
    logger: log,
    // Ignores an id of the caller: the log holds only ids made here.
    genReqId(_request, response) {
      const requestId = randomUUID();
      response.setHeader('x-request-id', requestId);
      return requestId;
    },
    autoLogging: { ignore: isProbe },
    customLogLevel({ method }, { statusCode }, error) {
      if (error || statusCode >= 500) return 'error';
      // Callers poll: what only reads says nothing, and is most of the requests.
      return isRead(method) && statusCode < 400 ? 'debug' : 'info';
    },
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}

export interface RequestReport {
  method: string;
  /** The pattern of the route, like `/v2/agent/:projectId/job`; undefined if no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
}

/** Reports each request whose response was sent completely. */
export function observeRequests(onRequest: (report: RequestReport) => void): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('finish', () => {
      const path: unknown = request.route?.path;
      const route = typeof path === 'string' ? path : undefined;
      const durationMs = performance.now() - startedAt;
      onRequest({ method: request.method, route, status: response.statusCode, durationMs });
    });
    next();
  };
}

/** Answers with the problem that an error is. */
export const answerError: ErrorRequestHandler = (error, request, response, next) => {
  const problem = toProblem(error);
  logProblem(request.log, problem, error);
  // Too late for another status: express closes the connection.
  if (response.headersSent) return next(error);
  sendProblem(response, problem, String(request.id));
};

/** Logs what the answer does not tell. */
export function logProblem(log: Log, problem: HttpProblem, error: unknown): void {
  if (problem.kind === 'internal') log.error({ err: error }, 'a request failed');
  if (problem.kind === 'unavailable' && problem.cause) log.warn({ err: error }, 'the database cannot be reached');
}
