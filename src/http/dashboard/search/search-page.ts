import { type JobRow, nameJob } from '../../../jobs/list-job-rows.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { type IconName, icon } from '../frame/elements.ts';
import { linkTo, nameProject } from '../frame/project-links.ts';
import { type DashboardPage, listTabs } from '../frame/render-page.ts';
import { findState, renderState } from '../jobs/story/find-state.ts';

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
export function searchPage(found: Found): DashboardPage {
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
