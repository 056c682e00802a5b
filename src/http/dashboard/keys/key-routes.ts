import { Router } from 'express';
import { z } from 'zod';
import { createProjectKey, KeyNameTaken } from '../../../keys/create-key.ts';
import { revokeProjectKey } from '../../../keys/revoke-key.ts';
import { listApiKeys } from '../../../store/tables/access/api-keys.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { pageNotFound } from '../frame/page-refusal.ts';
import { linkTo } from '../frame/project-links.ts';
import { readForm } from '../frame/read-form.ts';
import { createCookie } from '../people/cookies.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { findExpiry, isExpiryChoice, keysPage, type ShownKeys, type TypedKey } from './keys-page.ts';

const maxNameLength = 100;
const freshMs = 60_000;

/** A key that was created a moment ago, on its way to the page that shows it. */
const freshShape = z.object({ projectId: z.string(), keyId: z.string(), key: z.string(), name: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Creates, shows and revokes the project's API keys. */
export function createKeyRoutes({ readBody, origin, log }: DashboardParts, { forMaintainers }: PageRoutes): Router {
  const { keys } = linkTo(':projectId');
  const fresh = createCookie({ name: 'pagewright_new_key', origin });
  const router = Router();

  const show = async (visit: ProjectVisit, shown: ShownKeys = {}) => {
    const { project, withStore } = visit;
    const listed = await withStore(({ database }) => listApiKeys(database, project.project_id));
    return keysPage({ project, keys: listed, origin: origin(), ...shown });
  };

  router.get(
    keys,
    forMaintainers(async (visit) => {
      const { request, response, project } = visit;
      const text = fresh.read(request);
      if (text === '') return show(visit);
      // Shown once: the next page is without it.
      fresh.clear(response);
      const found = freshShape.safeParse(parseJson(text)).data;
      if (found?.projectId !== project.project_id) return show(visit);
      return show(visit, { created: found });
    }),
  );
  router.post(
    keys,
    forMaintainers(async (visit) => {
      const { response, project, person, withStore } = visit;
      const form = await readForm(visit, readBody);
      const typed: TypedKey = { name: (form.get('name') ?? '').trim(), expires: form.get('expires') ?? '' };
      const problem = findProblem(typed);
      if (problem !== undefined) return show(visit, { typed, problem });
      const { project_id: projectId } = project;
      const key = { projectId, name: typed.name, expiresAt: findExpiry(typed.expires) };
      const created = await withStore(({ database }) => createProjectKey(database, key)).catch(asTaken);
      if (created === 'taken')
        return show(visit, {
          typed,
          problem: 'A key of this project has this name. Revoke it, or choose another name.',
        });
      log.info({ projectId, keyId: created.keyId, login: person.login }, 'a person created an API key');
      // The person's browser carries the key to the page that shows it once. A reload of that page creates no second key.
      const carried = Buffer.from(JSON.stringify({ ...created, name: typed.name })).toString('base64url');
      fresh.write(response, carried, { maxAgeMs: freshMs });
      return { redirectTo: linkTo(projectId).keys };
    }),
  );
  router.post(
    `${keys}/:keyId/revoke`,
    forMaintainers(async ({ request, project, person, withStore }) => {
      const { project_id: projectId } = project;
      const keyId = String(request.params.keyId);
      const isKnown = await withStore(({ database }) => revokeProjectKey(database, { projectId, keyId }));
      if (!isKnown) throw pageNotFound();
      log.info({ projectId, keyId, login: person.login }, 'a person revoked an API key');
      return { redirectTo: linkTo(projectId).keys };
    }),
  );
  return router;
}

function asTaken(error: unknown): 'taken' {
  if (error instanceof KeyNameTaken) return 'taken';
  throw error;
}

function findProblem({ name, expires }: TypedKey): string | undefined {
  const { length } = [...name];
  if (length < 1 || length > maxNameLength) return `The name must have 1 to ${maxNameLength} characters.`;
  if (!/^\P{C}+$/u.test(name)) return 'The name must not contain invisible characters.';
  return isExpiryChoice(expires) ? undefined : 'Choose when the key expires.';
}
