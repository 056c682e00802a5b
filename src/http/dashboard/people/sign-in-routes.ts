import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { callbackPath } from '../../../config/urls.ts';
import { Parked } from '../../../errors.ts';
import { AmbiguousWrite, GitHubUnavailable } from '../../../github/refusals/errors.ts';
import { withDeadline } from '../../../store/postgres/availability.ts';
import type { Database } from '../../../store/postgres/database.ts';
import { realTiming } from '../../../timing.ts';
import { retryLater } from '../../problem.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { PageRefusal } from '../frame/page-refusal.ts';
import { readForm } from '../frame/read-form.ts';
import { type DashboardPage, themes } from '../frame/render-page.ts';
import { createCookie, listOwnCookies, type Sessions } from './cookies.ts';
import { createAttempts } from './limit-attempts.ts';
import { sendPage } from './page-routes.ts';
import { failedPage, notConfiguredPage, welcomePage, wrongHostPage } from './sign-in-pages.ts';

/** Signing in with GitHub, and out. */
export function createSignInRoutes({ authorization, store, origin, log }: DashboardParts, sessions: Sessions): Router {
  const { askGitHubMs } = realTiming.sessions;
  const pendingSignIns = createPendingSignIns({ origin });
  const attempts = createAttempts();
  const withDatabase = <T>(work: (database: Database) => Promise<T>) =>
    withDeadline(store.database, { withinMs: realTiming.http.queryMs }, work);
  const router = Router();

  router.get('/', async (request, response) => {
    const person = await withDatabase((database) => sessions.find(database, request));
    if (person) return response.redirect(303, '/projects');
    await sendPage(response, authorization ? welcomePage() : { ...notConfiguredPage(origin()), status: 200 });
  });

  router.get('/auth/sign-in', async (request, response) => {
    const target = readTarget(request.query.target, origin());
    if (!authorization) return sendPage(response, notConfiguredPage(origin()));
    const waitSeconds = await withDatabase((database) => attempts.begin(database, request));
    if (waitSeconds > 0) return sendPage(response, tooMany(waitSeconds, target));
    // The cookie must be set where GitHub sends the person back to.
    const { host = '' } = request.headers;
    if (`http://${host}` !== origin() && `https://${host}` !== origin()) {
      // Sent here once already: the browser does not come with another host, because the proxy changes it.
      if (request.query.moved !== undefined) return sendPage(response, wrongHostPage(origin(), host));
      return response.redirect(
        303,
        `${origin()}/auth/sign-in?${new URLSearchParams({ target, moved: '' }).toString()}`,
      );
    }
    const pending = pendingSignIns.begin({ request, response }, target);
    response.redirect(303, authorization.formatUrl({ ...pending, callbackUrl: `${origin()}${callbackPath}` }));
  });

  router.get(callbackPath, async (request, response) => {
    if (!authorization) return sendPage(response, notConfiguredPage(origin()));
    const waitSeconds = await withDatabase((database) => attempts.begin(database, request));
    if (waitSeconds > 0) return sendPage(response, tooMany(waitSeconds));
    const page = await finish(request, response, authorization);
    if (page) return sendPage(response, page);
    await withDatabase((database) => attempts.succeed(database, request));
  });

  router.post('/auth/sign-out', async (request, response) => {
    await withDatabase((database) => sessions.end(database, { request, response }));
    response.redirect(303, '/');
  });
  return router;

  /** Signs the person in and redirects, or returns the page that says why not. */
  async function finish(
    request: Request,
    response: Response,
    authorize: NonNullable<DashboardParts['authorization']>,
  ): Promise<DashboardPage | undefined> {
    const { code, state, error } = request.query;
    const pending = pendingSignIns.take(request, response, typeof state === 'string' ? state : '');
    if (!pending) return failedPage({ status: 400, sentence: unknownSignIn });
    const { verifier } = pending;
    const target = readTarget(pending.target, origin());
    if (error === 'access_denied') return failedPage({ status: 403, sentence: denied, target });
    if (typeof error === 'string') {
      log.error({ reason: error.slice(0, 100) }, 'GitHub refused a sign-in');
      return failedPage({ status: 403, sentence: misconfigured, target });
    }
    if (typeof code !== 'string') return failedPage({ status: 400, sentence: unknownSignIn, target });
    const callbackUrl = `${origin()}${callbackPath}`;
    const identified = await authorize
      .identify({ code, verifier, callbackUrl }, AbortSignal.timeout(askGitHubMs))
      .catch((cause: unknown) => ({ kind: 'failed' as const, page: explain(cause, target) }));
    if (identified.kind === 'failed') return identified.page;
    if (identified.kind === 'refused') return failedPage({ status: 400, sentence: expired, target });
    const { person } = identified;
    await withDatabase((database) => sessions.begin(database, { request, response, person }));
    log.info({ login: person.login }, 'a person signed in');
    response.redirect(303, target);
    return undefined;
  }

  function explain(cause: unknown, target: string): DashboardPage {
    const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError';
    if (cause instanceof Parked || isTimeout)
      return failedPage({ status: 503, sentence: unavailable, target, headers: retryLater });
    if (cause instanceof GitHubUnavailable || cause instanceof AmbiguousWrite) {
      log.warn({ err: cause }, 'GitHub did not answer a sign-in');
      return failedPage({ status: 502, sentence: unavailable, target });
    }
    log.error({ err: cause }, 'GitHub refused a sign-in');
    return failedPage({ status: 502, sentence: misconfigured, target });
  }
}

const unknownSignIn =
  'GitHub’s answer matches no sign-in that began in this browser within the last ten minutes. Try again.';
const denied = 'You cancelled on GitHub. Pagewright needs to know who you are to show your repositories.';
const expired = 'GitHub’s answer was used already, or is too old. Try again.';
const misconfigured = 'GitHub refused the sign-in. Ask the operator to search the log of the service for the reason.';
const unavailable = 'GitHub did not answer. Try again in a moment.';

const tooMany = (waitSeconds: number, target?: string): DashboardPage =>
  failedPage({
    status: 429,
    sentence: `Too many attempts to sign in. Try again in ${waitSeconds} seconds.`,
    headers: { 'Retry-After': String(waitSeconds) },
    ...(target !== undefined && { target }),
  });

/** Only pages of the dashboard: a link must not use the sign-in to lead elsewhere. */
function readTarget(target: unknown, origin: string): string {
  const url = typeof target === 'string' && target.length < 1_000 ? URL.parse(target, origin) : null;
  const isOurs = url?.origin === origin && /^\/(?:projects|operator)(?:\/|$)/.test(url.pathname);
  return isOurs ? `${url.pathname}${url.search}` : '/projects';
}

/** From the button to the way back from GitHub. */
const signInMs = 10 * 60_000;

/** A sign-in that waits for GitHub's redirect. */
interface PendingSignIn {
  state: string;
  /** PKCE defines it: https://www.rfc-editor.org/rfc/rfc7636 */
  verifier: string;
  /** The page that the person wanted. */
  target: string;
}

/** Tabs that sign in at once; a new one replaces the oldest. */
const mostPerBrowser = 5;
const prefix = 'pagewright_sign_in_';

/**
 * Kept in the browser that began it, for ten minutes: nobody can complete another browser's sign-in. Each has a separate cookie, so that
 * tabs that begin at the same moment do not overwrite each other's.
 */
function createPendingSignIns({ origin }: { origin: () => string }) {
  const cookieOf = (state: string) => createCookie({ name: toName(state), origin });
  return {
    begin({ request, response }: { request: Request; response: Response }, target: string): PendingSignIn {
      const names = listOwnCookies(request, { prefix, origin });
      for (const name of names.slice(0, Math.max(0, names.length - mostPerBrowser + 1)))
        createCookie({ name, origin }).clear(response);
      const pending = { state: randomSecret(), verifier: randomSecret(), target };
      const value = [pending.state, pending.verifier, Buffer.from(target).toString('base64url')].join('.');
      cookieOf(pending.state).write(response, value, { maxAgeMs: signInMs });
      return pending;
    },
    /** Returns the sign-in of this browser with that state, once. */
    take(request: Request, response: Response, state: string): PendingSignIn | undefined {
      if (!/^[\w-]{43}$/.test(state)) return undefined;
      const cookie = cookieOf(state);
      const [ownState = '', verifier = '', target = ''] = cookie.read(request).split('.');
      if (!isSame(ownState, state)) return undefined;
      cookie.clear(response);
      return { state, verifier, target: Buffer.from(target, 'base64url').toString() };
    },
  };
}

const toName = (state: string) => `${prefix}${state.slice(0, 10)}`;

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** 43 characters, as PKCE asks for. */
const randomSecret = (): string => randomBytes(32).toString('base64url');

const yearMs = 365 * 24 * 3600_000;

/** The theme of this browser, in `response.locals` for every page, and the form that changes it. */
export function createThemeRoutes({ readBody, origin }: DashboardParts): Router {
  const cookie = createCookie({ name: 'pagewright_theme', origin });
  const router = Router();
  router.use((request, response, next) => {
    const chosen = cookie.read(request);
    response.locals.theme = themes.find((name) => name === chosen) ?? 'system';
    next();
  });
  router.post('/theme', async (request, response) => {
    const asked = (await readForm({ request, response }, readBody)).get('theme');
    const theme = themes.find((name) => name === asked);
    if (!theme) throw new PageRefusal(400, 'Invalid request', `theme must be one of: ${themes.join(', ')}.`);
    if (theme === 'system') cookie.clear(response);
    else cookie.write(response, theme, { maxAgeMs: yearMs });
    response.redirect(303, findWayBack(request.get('referer'), origin()));
  });
  return router;
}

/** Only a page of this service. */
function findWayBack(referrer: string | undefined, origin: string): string {
  const url = referrer === undefined ? null : URL.parse(referrer);
  return url?.origin === origin ? `${url.pathname}${url.search}` : '/projects';
}
