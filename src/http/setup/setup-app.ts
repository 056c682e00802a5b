import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import type { RegisteredApp } from '../../config/app-file.ts';
import { appManifest } from '../../config/app-manifest.ts';
import { isLoopbackUrl, webhookPath } from '../../config/urls.ts';
import type { Examined } from '../../health/examine.ts';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { createLocalCheck } from '../is-loopback-request.ts';
import { type HtmlPage, protect, sendHtmlPage } from '../pages/page.ts';
import { readCookie } from '../pages/read-cookie.ts';
import { sendStream } from '../probes.ts';
import { HttpProblem, sendProblem } from '../problem.ts';
import { shareAnswer, writeFindings } from './findings-section.ts';
import { createManifest, formatRegistrationUrl, isUrlOutOfReach, parseRegistration } from './registration.ts';
import {
  enterPage,
  expiredPage,
  forbiddenPage,
  notStoredPage,
  ownerPage,
  registeredPage,
  reviewPage,
  startingPage,
  unansweredPage,
  unexpectedPage,
  unknownAnswerPage,
  unusablePage,
} from './setup-pages.ts';
import { createSetupSessions, type OneTimeToken } from './setup-sessions.ts';

export type Registered =
  | { kind: 'registered'; app: RegisteredApp }
  | { kind: 'expired' }
  /** The answer lacks the private key or the webhook secret. */
  | { kind: 'unusable' }
  /** These two can be retried with the same code. */
  | { kind: 'unanswered'; error: unknown }
  | { kind: 'not-stored'; error: unknown };

const cookieName = 'pagewright_setup';
/** The one form that is posted here. */
const formSchema = z.object({ token: z.string() });
const maxFormBytes = 1_000;

/**
 * Serves a service without an App: the pages that register one, `/livez`, and 503 for all other paths. The pages open only with the
 * token, and then only in the browser that sent it back. Calls `onRegistered` when the credentials are stored and the last page is sent. From then on, every
 * page says that the service starts, and reloads itself.
 */
export function createSetupApp(options: {
  githubUrl: string;
  /** PUBLIC_URL; null: not set. */
  publicUrl: string | null;
  /** PUBLIC_URL, or else the address of the listener. */
  baseUrl: string;
  token: OneTimeToken;
  registerApp: (code: string, signal: AbortSignal) => Promise<Registered>;
  /** The findings of the doctor. Only the operator sees them. */
  examine: (signal: AbortSignal) => Promise<Examined[]>;
  onRegistered: (app: RegisteredApp) => void;
  log: Log;
  signal: AbortSignal;
}): Express {
  const { githubUrl, publicUrl, baseUrl, token, registerApp, examine, onRegistered, log, signal } = options;
  const sessions = createSetupSessions();
  const isLocal = createLocalCheck(publicUrl);
  const examineOnce = shareAnswer(() => examine(signal), { keepMs: realTiming.http.examinedMs });
  let isRegistered = false;
  const finish = (app: RegisteredApp) => {
    isRegistered = true;
    onRegistered(app);
  };
  const hookUrl = `${baseUrl}${webhookPath}`;
  const unreachableHookUrl = isUrlOutOfReach({ webUrl: githubUrl, publicUrl }) ? hookUrl : null;

  const findSession = (request: Request) => {
    const sessionId = readCookie(request.headers.cookie, cookieName);
    return sessions.has(sessionId) ? sessionId : undefined;
  };
  function beginSession(response: Response): void {
    const secure = new URL(baseUrl).protocol === 'https:' && !isLoopbackUrl(baseUrl);
    response.cookie(cookieName, sessions.begin(), { httpOnly: true, sameSite: 'lax', secure, path: '/setup' });
  }

  const app = express().disable('x-powered-by').disable('etag');
  app.use(...protect([new URL(githubUrl).origin]));
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));

  // The doctor looks here, through the proxy.
  app.get('/livez/stream', sendStream);
  app.use((request, response, next) => {
    if (!isPage(request)) return next();
    if (isRegistered) return sendHtmlPage(response, startingPage);
    if (!request.path.startsWith('/setup')) return response.redirect(303, '/setup');
    next();
  });

  app.use('/setup', (request, response, next) => {
    if (isHiddenRequest(request)) return sendHtmlPage(response, forbiddenPage);
    next();
  });

  app.get('/setup', async (request, response) => {
    const { token: given } = request.query;
    if (!findSession(request) && typeof given === 'string' && token.isValid(given))
      return sendHtmlPage(response, enterPage(given));
    if (!findSession(request)) return sendHtmlPage(response, forbiddenPage);
    const { registration } = parseRegistration({ name: appManifest.name });
    const findings = writeFindings(await examineOnce());
    sendHtmlPage(
      response,
      ownerPage({ form: { registration, problems: {} }, githubUrl, unreachableHookUrl, findings }),
    );
  });

  // Not by GET: a link preview or a scanner of messages, which opens every link, must not use up the token.
  app.post('/setup', express.urlencoded({ extended: false, limit: maxFormBytes }), (request, response, next) => {
    if (!request.is('urlencoded')) return next();
    const given = formSchema.safeParse(request.body).data?.token;
    if (given === undefined || !token.redeem(given)) return sendHtmlPage(response, forbiddenPage);
    beginSession(response);
    response.redirect(303, '/setup');
  });

  app.get('/setup/review', (request, response) => {
    const sessionId = findSession(request);
    if (!sessionId) return sendHtmlPage(response, forbiddenPage);
    const form = parseRegistration(request.query);
    if (Object.keys(form.problems).length > 0)
      return sendHtmlPage(response, ownerPage({ form, githubUrl, unreachableHookUrl }));
    const { owner, name } = form.registration;
    const organization = owner === 'organization' ? form.registration.organization : null;
    // Redirects to the same host, which the session's cookie is bound to: localhost is not 127.0.0.1.
    const redirectBase = isLocal(request) ? `http://${request.headers.host}` : baseUrl;
    const manifest = createManifest({ name, baseUrl, redirectUrl: `${redirectBase}/setup/callback` });
    const state = sessions.issueState(sessionId);
    const registrationUrl = formatRegistrationUrl({ webUrl: githubUrl, organization, state });
    sendHtmlPage(response, reviewPage({ manifest, registrationUrl, organization, unreachableHookUrl }));
  });

  app.get('/setup/callback', async (request, response) => {
    const { code, state } = request.query;
    const sessionId = findSession(request);
    const isOurs =
      sessionId !== undefined && typeof state === 'string' && typeof code === 'string' && /^[\w-]{1,200}$/.test(code);
    if (!isOurs || !sessions.takeState(sessionId, state)) return sendHtmlPage(response, unknownAnswerPage(baseUrl));
    const result = await registerApp(code, signal);
    if (result.kind === 'registered') {
      log.info({ app: result.app.slug, owner: result.app.owner }, 'the App is registered');
      // The credentials are stored, even if the browser has left.
      if (response.closed) return finish(result.app);
      response.once('close', () => finish(result.app));
      return sendHtmlPage(response, registeredPage(result.app));
    }
    if ('error' in result) {
      sessions.returnState(sessionId, state);
      if (result.kind === 'unanswered') log.warn({ err: result.error }, 'the App’s credentials could not be fetched');
      else log.error({ err: result.error }, 'the App’s credentials could not be stored');
    }
    sendHtmlPage(response, pageOf[result.kind]);
  });

  app.use((_request, response) => {
    const detail = isRegistered ? 'Pagewright is starting.' : 'Pagewright is not set up yet: open /setup.';
    sendProblem(response, new HttpProblem('unavailable', detail), randomUUID());
  });
  const answerUnexpected: ErrorRequestHandler = (error, _request, response, next) => {
    const isMistake = typeof error?.status === 'number' && error.status < 500;
    if (!isMistake) log.error({ err: error }, 'a page of the set-up failed');
    if (response.headersSent) return next(error);
    sendHtmlPage(response, isMistake ? forbiddenPage : unexpectedPage);
  };
  app.use(answerUnexpected);
  return app;
}

/** Whether a browser asks for a page. */
const isPage = ({ method, headers, path }: Request) =>
  method === 'GET' && path !== '/livez' && (headers.accept?.includes('text/html') ?? false);

/**
 * Whether a page of another site sent this in the background, for example for an image. Such requests could displace sessions or guess tokens. A link,
 * and the way back from GitHub, are navigations. https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
const isHiddenRequest = ({ headers }: Request) =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';

const pageOf: Record<Exclude<Registered['kind'], 'registered'>, HtmlPage> = {
  expired: expiredPage,
  unusable: unusablePage,
  unanswered: unansweredPage,
  'not-stored': notStoredPage,
};
