import type { Router } from 'express';
import type { Person } from '../../github/calls/people-calls.ts';
import type { Log } from '../../log.ts';
import type { Roles } from '../../projects/roles.ts';
import { listProjectActivity, mostCounted, type ProjectActivity } from '../../store/lists/list-project-activity.ts';
import { type Html, html } from '../pages/html.ts';
import { formatInstallUrl } from '../setup/registration.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { icon, renderOlder, renderTime } from './frame/elements.ts';
import { type DashboardPage, linkTo, nameProject } from './frame/render-page.ts';
import type { PageRoutes, Visit } from './people/page-routes.ts';

export function createProjectRoutes(
  { roles, fetchApp, config, log }: DashboardParts,
  { forPeople }: PageRoutes,
): Router {
  const findInstallUrl = (signal: AbortSignal) =>
    fetchApp(signal).then(
      ({ slug }) => formatInstallUrl({ webUrl: config.github.webUrl, slug }),
      () => null,
    );
  const { router, get } = forPeople();
  get('/projects', async ({ person, signal, request, withStore }) => {
    const { after, q } = request.query;
    const text = typeof q === 'string' ? q.trim().slice(0, 200) : '';
    const position = typeof after === 'string' ? after : undefined;
    const own = await findOwnProjects({ person, text, after: position, roles, signal, withStore, log });
    return projectsPage({ ...own, text, installUrl: await findInstallUrl(signal) });
  });
  return router;
}

const mostWithoutSearch = 6;

function projectsPage(options: OwnProjects & { text: string; installUrl: string | null }): DashboardPage {
  const { projects, text, unknown, next, installUrl } = options;
  const install =
    installUrl !== null &&
    html`<a class="button quiet" href="${installUrl}">${icon('plus')}Install on more repositories</a>`;
  return {
    title: 'Projects',
    body: html`<div class="head"><h1>Projects</h1>${projects.length > 0 && install}</div>
${(text !== '' || projects.length > mostWithoutSearch || next !== null) && renderSearch(text)}
${unknown > 0 && html`<p class="notice" role="status">Pagewright could not ask GitHub what you may do in ${unknown === 1 ? 'one repository' : `${unknown} repositories`}. Reload this page in a moment.</p>`}
${projects.length > 0 ? renderList(projects) : next === null && unknown === 0 && (text === '' ? renderEmpty(installUrl) : html`<p class="muted">No project of yours has these letters in its name. <a href="/projects">Show all projects</a></p>`)}
${next !== null && renderOlder(`/projects?${new URLSearchParams({ ...(text !== '' && { q: text }), after: next }).toString()}`)}`,
  };
}

const renderSearch = (text: string): Html =>
  html`<form class="search" role="search" action="/projects"><label class="sr" for="q">Search projects</label><input type="search" id="q" name="q" value="${text}" placeholder="Search projects"><button class="quiet">${icon('search')}Search</button></form>`;

const renderList = (projects: ProjectActivity[]): Html => html`<ul class="cards">${projects.map(renderCard)}</ul>`;

const renderCard = ({
  project,
  activeJobs,
  reviewJobs,
  failedJobs,
  lastMessageAt,
}: ProjectActivity): Html => html`<li class="card">${icon('file')}<div>
<a class="title" href="${linkTo(project.project_id).jobs}">${nameProject(project)}</a>
<p class="facts">${[
  project.settings_problems.length > 0 &&
    html`<span class="fact bad">${icon('alert')}The settings have mistakes</span>`,
  activeJobs > 0 && html`<span class="fact live">${icon('turning')}${activeJobs} at work</span>`,
  reviewJobs > 0 &&
    html`<a class="fact warn" href="${linkTo(project.project_id).jobs}?needs=review">${icon('request')}${reviewJobs > mostCounted ? `${mostCounted}+` : reviewJobs} to review</a>`,
  failedJobs > 0 && html`<span class="fact bad">${icon('alert')}${failedJobs} failed this week</span>`,
  lastMessageAt
    ? html`<span class="fact">Last instruction ${renderTime(lastMessageAt)}</span>`
    : html`<span class="fact">No jobs yet</span>`,
]}</p></div>${icon('arrow')}</li>`;

const renderEmpty = (installUrl: string | null): Html => html`<div class="empty">${icon('file')}
<h2>No repository yet</h2>
<p>You see the repositories that Pagewright is installed on and that you may write to on GitHub. Install the App on the one that
has your documentation, then reload this page.</p>
${installUrl !== null && html`<p><a class="button" href="${installUrl}">Install on GitHub</a></p>`}
</div>`;

/** Each may cost a request to GitHub. */
const mostAsked = 100;
const askedAtOnce = 10;

interface OwnProjects {
  projects: ProjectActivity[];
  /** How many projects GitHub gave no answer about. */
  unknown: number;
  /** Where the next page begins; null: this is the last one. */
  next: string | null;
}

/** The projects that a person may write to, among the next hundred: those where something goes on first, then by name. */
export async function findOwnProjects(options: {
  person: Person;
  /** Only projects whose name contains it, in any case. */
  text: string;
  after: string | undefined;
  roles: Roles;
  signal: AbortSignal;
  withStore: Visit['withStore'];
  log: Log;
}): Promise<OwnProjects> {
  const { person, text, after, roles, signal, withStore, log } = options;
  const listed = await withStore(({ database }) =>
    listProjectActivity(database, { text, after, limit: mostAsked + 1 }),
  );
  const asked = listed.slice(0, mostAsked);
  const last = asked.at(-1);
  const own: ProjectActivity[] = [];
  let unknown = 0;
  for (let start = 0; start < asked.length; start += askedAtOnce) {
    await Promise.all(
      asked.slice(start, start + askedAtOnce).map(async (activity) => {
        try {
          if ((await roles.find({ project: activity.project, person, signal })) !== 'none') own.push(activity);
        } catch (error) {
          unknown += 1;
          log.warn({ err: error, projectId: activity.project.project_id }, 'GitHub did not say what a person may do');
        }
      }),
    );
  }
  const isQuiet = ({ project, activeJobs, reviewJobs, failedJobs }: ProjectActivity) =>
    activeJobs + reviewJobs + failedJobs + project.settings_problems.length === 0;
  own.sort((one, other) => Number(isQuiet(one)) - Number(isQuiet(other)) || (one.sortKey < other.sortKey ? -1 : 1));
  return { projects: own, unknown, next: listed.length > mostAsked && last ? last.sortKey : null };
}
