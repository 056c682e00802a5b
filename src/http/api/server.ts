import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { allowOnly } from '../allow-only.ts';
import { createHealthRoutes } from '../probes/health-routes.ts';
import { createMetricsRoute, type MetricsSource } from '../probes/metrics-route.ts';
import { formatProblem, Problem, problemKinds } from '../problem.ts';
import { toProblem } from '../to-problem.ts';
import { createAgentRoutes } from './agent-routes.ts';
import type { ApiConfig } from './api-config.ts';
import { logRequests } from './log-requests.ts';
import { observeRequests, type RequestReport } from './observe-requests.ts';
import { createOpenApi } from './openapi.ts';

/**
 * The REST door: the public API with its description at `/openapi.json`, and the probes and metrics, which are all that
 * `ROLE=worker` serves. It answers every request that reaches it, so mount it last; whatever goes wrong is answered in the form of RFC 9457.
 */
export function createApi({
  store,
  config,
  log,
  isOpen = () => true,
  metrics,
  onRequest = () => {},
}: {
  store: Store;
  config: ApiConfig;
  log: Log;
  /** What `/readyz` says of the service itself: false until it has started, and once it stops. */
  isOpen?: () => boolean;
  /** None: there is no `/metrics`. */
  metrics?: MetricsSource;
  /** Told of each request that was answered. */
  onRequest?: (report: RequestReport) => void;
}): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(logRequests(log), observeRequests(onRequest), helmet());
  app.use(createHealthRoutes({ database: store.database, isOpen }));
  if (metrics) app.use(createMetricsRoute(metrics));
  if (config.role !== 'worker') {
    const openApi = createOpenApi(config.openai);
    app
      .route('/openapi.json')
      .get((_request, response) => void response.json(openApi))
      .all(allowOnly('GET'));
    app.use(createAgentRoutes({ store, config }));
  }
  app.use(() => {
    throw new Problem('not-found', 'There is nothing at this path. What there is, is described at /openapi.json.');
  });
  app.use(answerError);
  return app;
}

/** Answers every error; one that nobody expected is logged with its whole chain, and the caller is shown only the request's id. */
const answerError: ErrorRequestHandler = (error, request, response, next) => {
  const problem = toProblem(error);
  if (problem.kind === 'internal') request.log.error({ err: error }, 'a request failed');
  if (problem.kind === 'unavailable' && problem.cause)
    request.log.warn({ err: error }, 'the database cannot be reached');
  // Half an answer cannot be taken back: express then ends the connection.
  if (response.headersSent) return next(error);
  response.status(problemKinds[problem.kind].status).set(problem.headers).set('Cache-Control', 'no-store');
  response.type('application/problem+json').send(JSON.stringify(formatProblem(problem, String(request.id))));
};
