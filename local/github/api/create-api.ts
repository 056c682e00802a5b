import { createHash } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { authenticate, type Caller, identify } from '../auth/caller.ts';
import { addBodyHtml } from '../json/add-body-html.ts';
import { carryOut } from '../routes/carry-out.ts';
import { type Answer, type Call, type Route, verbs } from '../routes/route.ts';
import type { World } from '../state/world.ts';
import { ApiError, notFound } from './api-error.ts';
import { applyFaultAfter, applyFaultBefore } from './apply-fault.ts';
import { describeError } from './describe-error.ts';
import type { Exchange } from './exchange.ts';
import type { FaultRule, Faults } from './faults.ts';
import type { InFlight } from './in-flight.ts';
import type { RateLimits } from './rate-limits.ts';
import { type LoggedRequest, logRequest, queryOf } from './request-log.ts';

const versions = ['2022-11-28', '2026-03-10'];

/** GitHub's REST API as an Express router. Each request is logged, meets its fault, is authenticated, carried out and answered. */
export function createApi({
  world,
  routes,
  faults,
  limits,
  requests,
  inFlight,
  onExchange,
}: {
  world: World;
  routes: Route[];
  faults: Faults;
  limits: RateLimits;
  requests: LoggedRequest[];
  inFlight: InFlight;
  onExchange: ((exchange: Exchange) => void) | undefined;
}): Router {
  const handle = (route: Route | undefined) => (request: Request, response: Response) =>
    inFlight.track(serve(route, request, response));
  const router = express.Router();
  router.use(express.raw({ type: () => true, limit: '25mb' }));
  for (const route of routes) {
    const prefixes = route.as === 'repository' ? ['/repos/:owner/:repo', '/repositories/:repository_id'] : [''];
    for (const prefix of prefixes) router[verbs[route.method]](`${prefix}${route.path}`, handle(route));
  }
  router.use(handle(undefined));
  return router;

  async function serve(route: Route | undefined, request: Request, response: Response): Promise<void> {
    const path = decodePath(request.path);
    const query = queryOf(request);
    const body = parseJson(request.body);
    const { caller, problem } = identify(() => authenticate(world, request.get('authorization')));
    const api = path === '/graphql' ? 'graphql' : 'rest';
    const shown = { path, api, route: nameRoute(route, path), body } as const;
    const entry = logRequest({ world, requests, request, response, ...shown, caller });
    // The clock may be a test's: auth-app corrects its own by this header.
    response.set({ date: world.clock().toUTCString(), 'x-github-media-type': 'github.v3; format=json' });
    const fault = faults.take(request.method, path);
    if (fault && refusesAsGitHub(fault.rule)) response.set(limits.headers(caller));
    if (await applyFaultBefore(fault, caller, response)) return;
    const answer = await answerOrRefuse(async () => {
      if (problem) throw problem;
      limits.refuseExhausted(caller);
      refuseBadHeaders(request);
      if (!route) throw notFound();
      if (body instanceof ApiError) throw body;
      const url = `${world.apiUrl}${request.path}`;
      const accept = request.get('accept') ?? '';
      const params = joinParams(request.params);
      const call: Call = { world, caller, params, query, body, accept, stale: fault?.rule.kind === 'stale', url };
      const carriedOut = await carryOut(route, call);
      entry.done = true;
      return { ...carriedOut, body: addBodyHtml(world, { accept, body: carriedOut.body }) };
    });
    if (await applyFaultAfter(fault, response)) return;
    send(request, response, caller, answer);
    const { statusCode: status } = response;
    if (!onExchange || api !== 'rest' || body instanceof ApiError || Buffer.isBuffer(answer.body)) return;
    const sent = status === 304 || answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
    onExchange({ method: request.method, path, query, body, status, answer: sent });
  }

  async function answerOrRefuse(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, body: describeError(error), headers: error.headers };
    }
  }

  function send(request: Request, response: Response, caller: Caller, answer: Answer): void {
    const { status, body, headers = {} } = answer;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const etag = `W/"${createHash('sha256').update(bytes).digest('hex')}"`;
    const isCacheable = request.method === 'GET' && status === 200;
    const isUnchanged = isCacheable && request.get('if-none-match') === etag;
    // A 304 does not count: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
    if (!isUnchanged) limits.count(caller);
    response.status(isUnchanged ? 304 : status).set(limits.headers(caller));
    response.set({ 'x-github-api-version-selected': request.get('x-github-api-version') ?? '2022-11-28' });
    if (isCacheable) response.set({ etag, 'cache-control': 'private, max-age=60, s-maxage=60' });
    if (status !== 204) response.set('content-type', 'application/json; charset=utf-8');
    response.set(headers);
    if (isUnchanged || status === 204) response.end();
    else response.end(bytes);
  }
}

/** GitHub's API sets the headers of the rate limit on each answer; the proxy before it, which answers 502 and 503, does not. */
const refusesAsGitHub = (rule: FaultRule): boolean =>
  rule.kind === 'secondary-limit' || (rule.kind === 'answer' && rule.status < 500);

/** One key for a repository's name and its id. */
const nameRoute = (route: Route | undefined, path: string): string =>
  route ? `${route.as === 'repository' ? '/repos/:owner/:repo' : ''}${route.path}` : path;

function refuseBadHeaders(request: Request): void {
  if (!request.get('user-agent')) {
    throw new ApiError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required).',
    );
  }
  const version = request.get('x-github-api-version');
  if (version !== undefined && !versions.includes(version)) {
    throw new ApiError(400, `Version '${version}' is not supported. Supported versions: ${versions.join(', ')}`);
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function parseJson(raw: unknown): unknown {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return undefined;
  try {
    return JSON.parse(raw.toString());
  } catch {
    return new ApiError(400, 'Problems parsing JSON');
  }
}

const joinParams = (params: Request['params']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]),
  );
