import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { html } from '../pages/html.ts';
import { HttpProblem, sendProblem } from '../problem.ts';
import { serveAssets } from './assets/assets.ts';
import { createAutomationRoutes } from './automation-routes.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { formatUtc, renderCodes, renderTyped } from './frame/elements.ts';
import { PageRefusal, pageNotFound, toPageRefusal } from './frame/page-refusal.ts';
import { readTyped } from './frame/read-form.ts';
import { linkTo, nameProject } from './frame/render-page.ts';
import { createColourer } from './highlight/create-colourer.ts';
import { createReadLive } from './jobs/changes/read-changes.ts';
import { createJobRoutes } from './jobs/job-routes.ts';
import { createImageRoutes } from './jobs/preview/image-routes.ts';
import { createStreamRoutes } from './jobs/stream-routes.ts';
import { createKeyRoutes } from './key-routes.ts';
import { createOperatorRoutes } from './operator/operator-routes.ts';
import { createBrowserSessions } from './people/cookies.ts';
import { createPageRoutes, sendPage } from './people/page-routes.ts';
import { createSignInRoutes, createThemeRoutes } from './people/sign-in-routes.ts';
import { createProjectRoutes } from './project-routes.ts';
import { createSearchRoutes } from './search-routes.ts';
import { createSettingsRoutes } from './settings/settings-routes.ts';
import { createUsageRoutes } from './usage/usage-routes.ts';
import { createWebhookRoutes } from './webhooks/webhook-routes.ts';

const paths = /^\/(?:(?:projects|search|theme|auth|operator|assets)(?:[/?]|$)|\?|$)/;

/** The pages for people. Answers their paths and returns true; returns false for other paths. */
export function createDashboard(
  parts: DashboardParts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { origin, readBody, log } = parts;
  const sessions = createBrowserSessions({ origin });
  const routes = createPageRoutes(parts, sessions);
  const colour = createColourer(parts);
  const live = { colour, readLive: createReadLive({ ...parts, colour }) };
  const app = express().disable('x-powered-by').disable('etag');
  app.use(protect);
  app.use(serveAssets);
  app.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  app.use(requireSameOrigin(origin));
  app.use(createThemeRoutes(parts));
  app.use(createSignInRoutes(parts, sessions));
  app.use(createProjectRoutes(parts, routes));
  app.use(createSearchRoutes(parts, routes));
  app.use(createJobRoutes(parts, routes, live));
  app.use(createImageRoutes(parts, routes));
  app.use(createStreamRoutes(parts, routes, live));
  app.use(createAutomationRoutes(parts, routes));
  app.use(createKeyRoutes(parts, routes));
  app.use(createSettingsRoutes(parts, routes));
  app.use(createUsageRoutes(parts, routes));
  app.use(createWebhookRoutes(parts, routes));
  app.use(createOperatorRoutes(parts, routes));
  app.get(belowPages, ({ params }, response) => response.redirect(303, String(params[0])));
  const notFound = () => {
    throw pageNotFound();
  };
  const unknown = routes.forWriters();
  unknown.get('/projects/:projectId{/*rest}', async () => notFound());
  app.use(unknown.router);
  app.use(notFound);
  const answerError: ErrorRequestHandler = async (error, request, response, next) => {
    const refusal = toPageRefusal(error);
    const { status, title, message, headers } = refusal;
    if (status >= 500) log.error({ err: refusal.cause ?? refusal }, 'a page of the dashboard failed');
    // Too late for another status: express closes the connection.
    if (response.headersSent) return next(error);
    // A form of another site may hold anything.
    const typed = status === 403 ? '' : await readTyped({ request, response }, readBody);
    const { project }: { project?: Project } = response.locals;
    const sentence = project && status === 404 ? 'This project has no such page. It may have been removed.' : message;
    const body = html`<p class="lead" role="alert">${renderCodes(sentence)}</p>
${status >= 500 && html`<p class="hint">${formatUtc(new Date())}</p>`}
${renderTyped(typed, request.originalUrl)}
<p class="actions">${project && html`<a class="button" href="${linkTo(project.project_id).jobs}">Jobs of ${nameProject(project)}</a>`}<a class="button quiet" href="/projects">Your projects</a></p>`;
    await sendPage(response, {
      status,
      title,
      heading: title,
      body,
      headers,
      isNarrow: true,
      ...(project && { project }),
    });
  };
  app.use(answerError);
  return (request, response) => {
    if (!paths.test(request.url ?? '')) return false;
    if (isFromPage(request)) app(request, response);
    else sendProblem(response, notForPrograms, randomUUID());
    return true;
  };
}

/** Below a page are the addresses of its forms: a browser comes to one by GET after a sign-in, or from its address bar. */
const belowPages = /^(\/projects\/[^/]+\/(?:jobs\/[^/]+|automations|keys|webhooks)|\/operator)\//;

/** Whether a browser sent the request. Any other client gets a problem instead of a page. */
function isFromPage({ method = '', url = '', headers }: IncomingMessage): boolean {
  // No form posts to the front page.
  const isFrontPage = /^\/(?:\?|$)/.test(url);
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return ['GET', 'HEAD'].includes(method) || (method === 'POST' && isForm && !isFrontPage);
}
const notForPrograms = new HttpProblem('method-not-allowed', 'Pages answer GET, HEAD, and the POST of their forms.', {
  headers: { Allow: 'GET, HEAD, POST' },
});

/** Everything comes from this service; nothing is framed, and no page contains a script. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
});

const reads = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses forms of other sites, to which the browser adds the cookie, too. Browsers send the origin of a form; a request without it is
 * refused. https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
const requireSameOrigin =
  (origin: () => string): RequestHandler =>
  ({ method, headers }, _response, next) => {
    if (reads.includes(method)) return next();
    const site = headers['sec-fetch-site'];
    const isSameSite = site === 'same-origin';
    const isFromHere =
      headers.origin === undefined ? isSameSite : headers.origin === origin() && (isSameSite || site === undefined);
    if (isFromHere) return next();
    throw new PageRefusal(
      403,
      'Sent from another page',
      `Pagewright accepts forms of its own pages only. Open ${origin()}/projects and try again there.`,
    );
  };
