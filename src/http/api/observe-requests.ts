import type { RequestHandler } from 'express';

/** One request that was answered. */
export interface RequestReport {
  method: string;
  /** The pattern of its route, `/v2/agent/:projectId/job`; undefined: it has none. */
  route: string | undefined;
  status: number;
  durationMs: number;
}

/** Reports each request once its answer has been sent. One whose caller left before that is not reported. */
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
