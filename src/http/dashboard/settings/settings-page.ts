import { isDeepStrictEqual } from 'node:util';
import type { ContextStatus } from '../../../context/create-context-states.ts';
import { defaultSettings, readStoredSettings, settingsPath } from '../../../repository/settings.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/elements.ts';
import { nameOf } from '../frame/project-links.ts';
import type { Page } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';

/** The permissions of the App in the repository; null: GitHub did not answer. */
export type Grants = { name: string; given: string; isEnough: boolean }[] | null;

const meanings: Record<keyof typeof defaultSettings, string> = {
  base: 'Branch that jobs start from',
  model: 'Model of new jobs',
  draft: 'Open pull requests as drafts',
  comments: 'Comments that are instructions',
  paths: 'Files that the agent may change',
  also: 'Further files that it may change',
  generated: 'Files that programs write',
  instructions: 'Writing rules for the agent',
  quote: 'Quote instructions in pull requests',
  labels: 'Labels of pull requests',
  reviewers: 'Reviewers of pull requests',
  sign_off: 'Sign off commits',
  co_authors: 'Credit people in commits',
  context: 'Repositories that the agent may read',
  documentation: 'Repositories whose runs may read this one',
  automations: 'Standing instructions',
};

export function settingsPage({
  project,
  models,
  webUrl,
  grants,
  context,
}: {
  project: Project;
  models: readonly string[];
  webUrl: string;
  grants: Grants;
  context: readonly ContextStatus[];
}): Page {
  const settings = readStoredSettings(project.settings);
  const file = `${webUrl}/${nameOf(project)}/blob/${encodeURIComponent(project.default_branch)}/${settingsPath}`;
  const fallbacks: Partial<Record<string, Html>> = {
    base: html`<code>${project.default_branch}</code>`,
    model: html`<code>${models[0]}</code>`,
    paths: html`all pages and navigation`,
    quote: html`in private repositories`,
  };
  const rows = Object.entries(settings).map(([name, value]) => {
    const isDefault = isDeepStrictEqual(value, Reflect.get(defaultSettings, name));
    return html`<tr><th scope="row"><code>${name}</code><span class="hint block">${Reflect.get(meanings, name)}</span></th>
<td>${(value === null && fallbacks[name]) || renderValue(value)}</td><td class="muted">${isDefault ? 'Default' : html`<span class="tag set">pagewright.yml</span>`}</td></tr>`;
  });
  const body = html`
<p class="lead">Pagewright reads <a href="${file}"><code>${settingsPath}</code></a> on the default branch of ${nameOf(project)}.
${project.settings_read_at && html`Last read ${renderTime(project.settings_read_at)}.`}</p>
${project.settings_problems.length > 0 && renderProblems(project)}
<div class="panel"><table class="list settings tops"><thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${context.length > 0 && renderContext(context, webUrl)}
<h2 class="part">What the App may do</h2>
${renderGrants(grants)}`;
  return { title: 'Settings', heading: 'Settings', project, tab: 'Settings', body };
}

const renderContext = (
  context: readonly ContextStatus[],
  webUrl: string,
): Html => html`<h2 class="part">What the agent may read beside this repository</h2>
<div class="panel"><table class="list tops"><thead><tr><th scope="col">Repository</th><th scope="col">Branch</th><th scope="col">Files</th><th scope="col">State</th></tr></thead>
<tbody>${context.map(
  ({ repository, fullName, ref, paths, state, problem, checkedAt }) => html`<tr>
<th scope="row">${fullName === null ? html`<code>${repository}</code>` : html`<a href="${webUrl}/${fullName}"><code>${fullName}</code></a>`}</th>
<td>${ref === null ? 'default branch' : html`<code>${ref}</code>`}</td>
<td>${paths === null ? 'all' : renderValue(paths)}</td>
<td${problem !== null && html` class="problem"`}>${problem ?? (state === 'ready' ? 'is read' : 'GitHub has not answered yet')}${checkedAt && html` <span class="hint block">Asked ${renderTime(checkedAt)}.</span>`}</td></tr>`,
)}</tbody></table></div>`;

const renderProblems = ({
  settings_problems: problems,
  good_settings: good,
}: Project): Html => html`<div class="notice bad marked" role="note">${icon('alert')}<div>
<p><strong>${problems.length === 1 ? 'The file has a mistake.' : `The file has ${problems.length} mistakes.`}</strong>
${good ? 'The settings below are from its last version without mistakes.' : 'The agent cannot change anything until someone corrects it.'}</p>
<ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div></div>`;

function renderValue(value: unknown): Html {
  if (value === null || value === '') return html`<span class="muted">not set</span>`;
  if (Array.isArray(value))
    return value.length === 0
      ? html`<span class="muted">none</span>`
      : html`${value.map((item, index) => html`${index > 0 && ', '}<code>${nameItem(item)}</code>`)}`;
  if (typeof value === 'object') return renderValue(Object.keys(value));
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
  const text = String(value);
  return text.length > 80 || text.includes('\n')
    ? html`<details class="fold"><summary>${text.split('\n', 1)[0]?.slice(0, 80)} …</summary><pre>${text}</pre></details>`
    : html`<code>${text}</code>`;
}

/** Items that name a repository have more to them. */
const nameItem = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'repository' in item ? String(item.repository) : String(item);

function renderGrants(grants: Grants): Html {
  if (grants === null) return html`<p class="muted">GitHub did not answer. Reload this page in a moment.</p>`;
  return html`${
    grants.some(({ isEnough }) => !isEnough) &&
    html`<p class="notice">The App lacks a permission. An owner of the account accepts the App’s request in the installation’s settings on GitHub.</p>`
  }
<div class="panel"><table class="list"><thead><tr><th scope="col">Permission</th><th scope="col">Given</th></tr></thead>
<tbody>${grants.map(
    ({ name, given, isEnough }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td${!isEnough && html` class="problem"`}>${given}</td></tr>`,
  )}</tbody></table></div>`;
}
