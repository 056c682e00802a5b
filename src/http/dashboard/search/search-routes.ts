import { Router } from 'express';
import { type JobRow, listJobRows } from '../../../jobs/list-job-rows.ts';
import type { ProjectActivity } from '../../../store/lists/list-project-activity.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import type { PageRoutes, ProjectVisit, Visit } from '../people/page-routes.ts';
import { findOwnProjects } from '../projects/find-own-projects.ts';
import { searchPage } from './search-page.ts';

const mostProjects = 6;
const mostJobs = 6;
/** Outside a project, the jobs of these many are searched. */
const mostSearched = 10;

/** One place that leads to jobs, projects and pages: a page, and the content of the palette. */
export function createSearchRoutes({ roles, log }: DashboardParts, { forPeople, forWriters }: PageRoutes): Router {
  async function search(visit: Visit, entered: ProjectVisit | undefined): Promise<DashboardPage> {
    const { request, withStore } = visit;
    const text = typeof request.query.q === 'string' ? request.query.q.trim().slice(0, 200) : '';
    const own = (name: string) => findOwnProjects({ ...visit, text: name, after: undefined, roles, log });
    const { projects } = await own(text);
    const searched = entered ? [entered.project] : await findRecent(text === '' ? projects : (await own('')).projects);
    const found: { project: Project; row: JobRow }[] = [];
    for (const project of searched) {
      if (found.length >= mostJobs) break;
      const filter = { projectId: project.project_id, limit: mostJobs, ...(text !== '' && { text }) };
      const { rows } = await withStore(({ database }) => listJobRows(database, filter));
      found.push(...rows.map((row) => ({ project, row })));
    }
    return searchPage({
      text,
      project: entered?.project,
      isMaintainer: entered?.role === 'maintain',
      isOperator: visit.isOperator,
      projects: projects.slice(0, mostProjects).map(({ project }) => project),
      jobs: found.slice(0, mostJobs),
    });
  }

  const router = Router();
  router.get(
    '/search',
    forPeople((visit) => search(visit, undefined)),
  );
  router.get(
    linkTo(':projectId').search,
    forWriters((visit) => search(visit, visit)),
  );
  return router;
}

const findRecent = (projects: readonly ProjectActivity[]): Project[] =>
  projects
    .toSorted((one, other) => Number(other.lastMessageAt ?? 0) - Number(one.lastMessageAt ?? 0))
    .slice(0, mostSearched)
    .map(({ project }) => project);
