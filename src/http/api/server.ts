import express, { type Express, type Request } from 'express';
import helmet from 'helmet';
import type { Log } from '../../log.ts';
import { createSettingsJsonSchema } from '../../repository/settings-json-schema.ts';
import { createStaticAnswer } from '../pages/create-static-answer.ts';
import { html } from '../pages/html.ts';
import { type HtmlPage, protect, sendHtmlPage } from '../pages/page.ts';
import { createHealthRoutes, createMetricsRoute, type MetricsSource } from '../probes.ts';
import { allowOnly, HttpProblem } from '../problem.ts';
import { createOpenApi } from './description/openapi.ts';
import { type ApiParts, createEndpointRoutes } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { referenceCss } from './reference/reference-css.ts';
import { createCursors } from './requests/lists.ts';
import { prefersType } from './requests/project-route.ts';
import { answerError, logRequests, observeRequests, type RequestReport } from './requests/watch-requests.ts';

interface ServerParts extends Omit<ApiParts, 'cursors'> {
  log: Log;
  /** Shared by all processes. */
  cursorSecret: string;
  /** For `/readyz`: false while the service starts or stops. */
  isOpen: () => boolean;
  /** For `/readyz`: the parts that do not work. */
  degraded: () => readonly string[];
  /** Without it there is no `/metrics`. */
  metrics?: MetricsSource;
  onRequest: (report: RequestReport) => void;
}

/**
 * Serves the API, its description at `/openapi.json`, the probes and the metrics. `ROLE=worker` serves only probes and metrics. Answers every
 * request, so mount it last. Errors have the form of RFC 9457.
 */
export function createApi(parts: ServerParts): Express {
  const { config, store, log, isOpen, degraded, metrics, onRequest, cursorSecret } = parts;
  const app = express().disable('x-powered-by').disable('etag');
  app.use(logRequests(log), observeRequests(onRequest), helmet());
  app.use(createHealthRoutes({ database: store.database, isOpen, degraded }));
  if (metrics) app.use(createMetricsRoute(metrics));
  if (config.role !== 'worker') {
    app
      .route('/openapi.json')
      .get(
        createStaticAnswer({
          type: 'application/json; charset=utf-8',
          body: async () => JSON.stringify(createOpenApi(config)),
        }),
      )
      .all(allowOnly('GET'));
    const reference = createStaticAnswer({
      type: 'text/html; charset=utf-8',
      async body() {
        const { showReference } = await import('./reference/reference-page.ts');
        return showReference(createOpenApi(config)).html;
      },
    });
    app
      .route('/docs')
      .get(...protect([], referenceCss), reference)
      .all(allowOnly('GET'));
    app
      .route('/pagewright.schema.json')
      .get(
        createStaticAnswer({
          type: 'application/schema+json; charset=utf-8',
          body: async () => JSON.stringify(createSettingsJsonSchema()),
        }),
      )
      .all(allowOnly('GET'));
    const apiParts = { ...parts, cursors: createCursors(cursorSecret) };
    app.use(createEndpointRoutes(endpoints, apiParts), createMcpRoute(apiParts));
  }
  app.use(
    (request, _response, next) => {
      if (!isForPeople(request)) throw new HttpProblem('not-found', 'Not found. See /openapi.json.');
      next();
    },
    ...protect(),
    (_request, response) => sendHtmlPage(response, notFoundPage),
  );
  app.use(answerError);
  return app;
}

/** A browser. Everybody else gets a problem. */
const isForPeople = (request: Request) =>
  ['GET', 'HEAD'].includes(request.method) && prefersType(request, 'text/html', 'application/json');

const notFoundPage: HtmlPage = {
  status: 404,
  title: 'Not found',
  body: html`
<p>This page does not exist.</p>
<p><a class="button" href="/">Open Pagewright</a> <a class="button quiet" href="/docs">Read about its API</a></p>`,
};
