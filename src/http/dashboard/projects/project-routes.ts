import { Router } from 'express';
import { formatInstallUrl } from '../../setup/github-urls.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import type { PageRoutes } from '../people/page-routes.ts';
import { findOwnProjects } from './find-own-projects.ts';
import { projectsPage } from './projects-page.ts';

export function createProjectRoutes(
  { roles, fetchApp, config, log }: DashboardParts,
  { forPeople }: PageRoutes,
): Router {
  const findInstallUrl = (signal: AbortSignal) =>
    fetchApp(signal).then(
      ({ slug }) => formatInstallUrl({ webUrl: config.github.webUrl, slug }),
      () => null,
    );
  const router = Router();
  router.get(
    '/projects',
    forPeople(async ({ person, signal, request, withStore }) => {
      const { after, q } = request.query;
      const text = typeof q === 'string' ? q.trim().slice(0, 200) : '';
      const position = typeof after === 'string' ? after : undefined;
      const own = await findOwnProjects({ person, text, after: position, roles, signal, withStore, log });
      return projectsPage({ ...own, text, installUrl: await findInstallUrl(signal) });
    }),
  );
  return router;
}
