import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Person, RepositoryRole } from '../../../github/calls/people-calls.ts';
import { isId } from '../../../ids.ts';
import { askGitHub } from '../../../projects/ask-github.ts';
import { withDeadline } from '../../../store/postgres/availability.ts';
import type { Store } from '../../../store/store.ts';
import { findProject, type Project } from '../../../store/tables/repositories/projects.ts';
import { realTiming } from '../../../timing.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { gitHubDown, gitHubRefused, onlyMaintainers, pageNotFound } from '../frame/page-refusal.ts';
import { readTyped } from '../frame/read-form.ts';
import { type DashboardPage, renderPage, type Viewer } from '../frame/render-page.ts';
import type { Sessions } from './cookies.ts';
import { signInPage } from './sign-in-pages.ts';

/** A request of a person who is signed in. */
export interface Visit {
  request: Request;
  response: Response;
  person: Person;
  isOperator: boolean;
  /** Whether the session is still valid. Throws when the database does not answer. */
  isSignedIn: () => Promise<boolean>;
  /** Aborted when GitHub takes too long. */
  signal: AbortSignal;
  /** Runs queries, and gives up when the database takes too long. */
  withStore: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
}

/** A request about a project that the person may write to. */
export interface ProjectVisit extends Visit {
  project: Project;
  role: Exclude<RepositoryRole, 'none'>;
}

/** A page, the address to go to, or null: the handler has answered. */
type Reply = DashboardPage | { redirectTo: string } | null;

export type PageRoutes = ReturnType<typeof createPageRoutes>;

/** Makes routers whose handlers run only for people with the needed permission. */
export function createPageRoutes(parts: DashboardParts, sessions: Sessions) {
  const { store, config, roles, readBody, log } = parts;
  const operators = config.operators.map((login) => login.toLowerCase());
  const withStore: Visit['withStore'] = (work) =>
    withDeadline(store.database, { withinMs: realTiming.http.queryMs }, (database) =>
      work({ database, queue: store.queue }),
    );

  const forPeople =
    (handle: (visit: Visit) => Promise<Reply>): RequestHandler =>
    async (request, response) => {
      const person = await withStore(({ database }) => sessions.find(database, request));
      if (!person) {
        const typed = await readTyped({ request, response }, readBody);
        return sendPage(response, signInPage({ target: request.originalUrl, typed }));
      }
      const isOperator = operators.includes(person.login.toLowerCase());
      response.locals.viewer = { person, isOperator, isMaintainer: false } satisfies Viewer;
      const signal = AbortSignal.timeout(realTiming.sessions.askGitHubMs);
      const isSignedIn = () =>
        withStore(async ({ database }) => (await sessions.find(database, request, { isLook: true })) !== undefined);
      const reply = await handle({ request, response, person, isOperator, isSignedIn, signal, withStore });
      if (reply === null) return;
      if ('redirectTo' in reply) response.redirect(303, reply.redirectTo);
      else await sendPage(response, reply);
    };

  async function enter(visit: Visit): Promise<ProjectVisit> {
    const { request, response, person, isOperator, signal } = visit;
    const { projectId } = request.params;
    const project = isId('prj', projectId)
      ? await withStore(({ database }) => findProject(database, projectId))
      : undefined;
    if (!project || project.removed_at) throw pageNotFound();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const askRole = isRead ? roles.find : roles.ask;
    const asked = await askGitHub(() => askRole({ project, person, signal }));
    if (asked.kind === 'unavailable') throw gitHubDown();
    if (asked.kind === 'refused') {
      log.warn({ reason: asked.message, projectId }, 'GitHub did not say what a person may do');
      throw gitHubRefused();
    }
    if (asked.kind === 'project_gone' || asked.result === 'none') throw pageNotFound();
    response.locals.viewer = { person, isOperator, isMaintainer: asked.result === 'maintain' } satisfies Viewer;
    response.locals.project = project;
    return { ...visit, project, role: asked.result };
  }

  const forProjects = (handle: (visit: ProjectVisit) => Promise<Reply>) =>
    forPeople(async (visit) => handle(await enter(visit)));

  return {
    forPeople: createRoutes(forPeople),
    /** Hides from others that the page exists. */
    forOperators: createRoutes((handle: (visit: Visit) => Promise<Reply>) =>
      forPeople(async (visit) => {
        if (!visit.isOperator) throw pageNotFound();
        return handle(visit);
      }),
    ),
    forWriters: createRoutes(forProjects),
    forMaintainers: createRoutes((handle: (visit: ProjectVisit) => Promise<Reply>) =>
      forProjects(async (visit) => {
        if (visit.role !== 'maintain') throw onlyMaintainers();
        return handle(visit);
      }),
    ),
  };
}

/** A new router, whose handlers run only for people whom `guard` lets in. */
const createRoutes =
  <AnyVisit>(guard: (handle: (visit: AnyVisit) => Promise<Reply>) => RequestHandler) =>
  () => {
    const router = Router();
    return {
      router,
      get: (path: string, handle: (visit: AnyVisit) => Promise<Reply>) => void router.get(path, guard(handle)),
      post: (path: string, handle: (visit: AnyVisit) => Promise<Reply>) => void router.post(path, guard(handle)),
    };
  };

const gzip = promisify(zlib.gzip);

/**
 * Shows it to the viewer and in the theme of `response.locals`. Compresses what a GET shows. The answer to a form may hold a secret beside what was typed, and the size of a compressed page tells of both:
 * https://www.breachattack.com
 */
export async function sendPage(response: Response, page: DashboardPage): Promise<void> {
  const { req: request } = response;
  const { viewer, theme } = response.locals;
  const text = renderPage(page, { viewer, theme });
  response
    .status(page.status ?? 200)
    .set(page.headers ?? {})
    .vary('Accept-Encoding')
    .type('html');
  if (request.method !== 'GET' || request.acceptsEncodings('gzip') !== 'gzip') return void response.send(text);
  response.set('Content-Encoding', 'gzip').send(await gzip(text));
}
