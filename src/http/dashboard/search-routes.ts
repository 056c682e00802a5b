import { Router } from 'express';
import { type JobRow, listJobRows, nameJob } from '../../jobs/list-job-rows.ts';
import type { ProjectActivity } from '../../store/lists/list-project-activity.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { type Html, html } from '../pages/html.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type IconName, icon } from './frame/elements.ts';
import { type DashboardPage, linkTo, listTabs, nameProject } from './frame/render-page.ts';
import { findState, renderState } from './jobs/story/find-state.ts';
import type { PageRoutes, ProjectVisit, Visit } from './people/page-routes.ts';
import { findOwnProjects } from './project-routes.ts';

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
  const [people, writers] = [forPeople(), forWriters()];
  people.get('/search', (visit) => search(visit, undefined));
  writers.get(linkTo(':projectId').search, (visit) => search(visit, visit));
  router.use(people.router, writers.router);
  return router;
}

const findRecent = (projects: readonly ProjectActivity[]): Project[] =>
  projects
    .toSorted((one, other) => Number(other.lastMessageAt ?? 0) - Number(one.lastMessageAt ?? 0))
    .slice(0, mostSearched)
    .map(({ project }) => project);

interface Found {
  text: string;
  /** The project that is searched; undefined: all of the person's. */
  project: Project | undefined;
  isMaintainer: boolean;
  isOperator: boolean;
  projects: Project[];
  jobs: { project: Project; row: JobRow }[];
}

/** The script shows what is in `found` beside any other page. */
function searchPage(found: Found): DashboardPage {
  const { text, project } = found;
  const body = html`<form class="search" role="search"><label class="sr" for="q">Search jobs, projects and pages</label>
<input type="search" id="q" name="q" value="${text}" autofocus placeholder="Search jobs, projects and pages"><button class="quiet">${icon('search')}Search</button></form>
<div id="found">${renderFound(found)}</div>`;
  return { title: 'Search', heading: 'Search', body, ...(project && { project }) };
}

function renderFound({ text, project, isMaintainer, isOperator, projects, jobs }: Found): Html {
  const isAsked = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const pages = [
    ...(project
      ? [
          { name: 'New job', href: linkTo(project.project_id).newJob },
          ...listTabs(project, isMaintainer).filter(({ name }) => name !== 'Jobs'),
        ]
      : []),
    { name: 'Your projects', href: '/projects' },
    ...(isOperator ? [{ name: 'Operator', href: '/operator' }] : []),
    { name: 'API reference', href: '/docs' },
  ].filter(({ name }) => isAsked(name));
  const groups = [
    renderGroup(
      'Jobs',
      jobs.map((found) => renderJob(found, project)),
    ),
    renderGroup(
      'Projects',
      projects.map((each) => renderLink('file', linkTo(each.project_id).jobs, nameProject(each))),
    ),
    renderGroup(
      'Go to',
      pages.map(({ name, href }) => renderLink(name === 'New job' ? 'plus' : 'arrow', href, name)),
    ),
  ];
  const isEmpty = groups.every((group) => group === false);
  return isEmpty ? html`<p class="muted">Nothing has these words.</p>` : html`${groups}`;
}

const renderGroup = (name: string, items: Html[]): Html | false =>
  items.length > 0 &&
  html`<section class="found"><h2>${name}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;

const renderLink = (sign: IconName, href: string, name: string): Html =>
  html`<a href="${href}">${icon(sign)}<span>${name}</span></a>`;

const renderJob = ({ project, row }: Found['jobs'][number], current: Project | undefined): Html =>
  html`<a href="${linkTo(project.project_id).job(row.job.job_id)}">${icon('message')}<span>${nameJob(row)}${!current && html` <span class="hint">${nameProject(project)}</span>`}</span>${renderState(findState(row.job, row.code))}</a>`;
