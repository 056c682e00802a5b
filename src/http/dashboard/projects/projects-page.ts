import type { ProjectActivity } from '../../../store/lists/list-project-activity.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/elements.ts';
import { linkTo, nameOf } from '../frame/project-links.ts';
import type { Page } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import type { OwnProjects } from './find-own-projects.ts';

export function projectsPage({
  projects,
  unknown,
  next,
  installUrl,
}: OwnProjects & { installUrl: string | null }): Page {
  const install =
    installUrl !== null &&
    html`<a class="button quiet" href="${installUrl}">${icon('plus')}Install on more repositories</a>`;
  return {
    title: 'Projects',
    body: html`<div class="head"><h1>Projects</h1>${projects.length > 0 && install}</div>
${unknown > 0 && html`<p class="notice" role="status">Pagewright could not ask GitHub what you may do in ${unknown === 1 ? 'one repository' : `${unknown} repositories`}. Reload this page in a moment.</p>`}
${projects.length > 0 ? renderList(projects) : next === null && unknown === 0 && renderEmpty(installUrl)}
${next !== null && html`<p><a class="button quiet" rel="next" href="/projects?${new URLSearchParams({ after: next }).toString()}">Older${icon('arrow')}</a></p>`}`,
  };
}

const renderList = (projects: ProjectActivity[]): Html => html`<ul class="cards">${projects.map(renderCard)}</ul>`;

const renderCard = ({
  project,
  activeJobs,
  failedJobs,
  lastMessageAt,
}: ProjectActivity): Html => html`<li class="card">${icon('file')}<div>
<a class="title" href="${linkTo(project.project_id).jobs}">${nameOf(project)}</a>
<p class="facts">${[
  activeJobs > 0 && html`<span class="fact live">${icon('turning')}${activeJobs} at work</span>`,
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
