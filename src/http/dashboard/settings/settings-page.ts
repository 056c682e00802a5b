import { isDeepStrictEqual } from 'node:util';
import { waitingFeatures } from '../../../config/app-manifest.ts';
import type { ContextStatus } from '../../../context/create-context-states.ts';
import { readStoredSettings, settingsPath } from '../../../repository/settings.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { nameAccess, namePermission } from '../../pages/name-permission.ts';
import { icon, renderCodes, renderTime } from '../frame/elements.ts';
import { type DashboardPage, linkTo, nameProject } from '../frame/render-page.ts';
import { linkToFile, renderMistakes } from './render-mistakes.ts';
import { isDefault, type SettingsFile } from './settings-file.ts';
import { choices, groups, labels } from './settings-form.ts';

/** The permissions of the App in the repository; null: GitHub did not answer. */
export type Grants = { name: string; reason: string; given: string; needed: string; isEnough: boolean }[] | null;

/** The version of the file that the settings come from. */
export interface SettingsSource {
  /** A commit, or the default branch. */
  ref: string;
  /** null: it could not be read. */
  file: SettingsFile | null;
}

export function settingsPage(options: {
  project: Project;
  models: readonly string[];
  webUrl: string;
  source: SettingsSource;
  grants: Grants;
  context: readonly ContextStatus[];
  /** The number of a pull request that a person has just opened. */
  proposed: number | undefined;
}): DashboardPage {
  const { project, models, webUrl, source, grants, context, proposed } = options;
  const settings = readStoredSettings(project.settings);
  const fallbacks: Partial<Record<string, Html>> = {
    base: html`<code>${project.default_branch}</code>`,
    model: html`<code>${models[0]}</code>`,
    paths: html`All pages and navigation`,
    quote: html`In private repositories only`,
    preview: html`As deployments and statuses say`,
  };
  const row = (name: string) => {
    const value: unknown = Reflect.get(settings, name);
    return html`<tr><th scope="row">${labels[name]}<code class="hint block">${name}</code></th>
<td>${(value === null && fallbacks[name]) || renderValue(name, value)}</td><td class="muted">${renderOrigin({ name, value, project, source, url: linkToFile(project, webUrl, source.ref) })}</td></tr>`;
  };
  const more = ['generated', 'context', 'documentation', 'automations'].filter(
    (name) => !isDefault(name, Reflect.get(settings, name)),
  );
  const body = html`<div class="head"><h1>Settings</h1><a class="button" href="${linkTo(project.project_id).settings}/edit">${icon('pencil')}Propose a change</a></div>
<p class="lead">Pagewright reads <a href="${linkToFile(project, webUrl)}"><code>${settingsPath}</code></a> on the default branch of ${nameProject(project)}.
${project.settings_read_at && html`Last read ${renderTime(project.settings_read_at)}.`}</p>
${proposed !== undefined && html`<div class="notice good marked" role="status">${icon('request')}<p>Your proposal is <a href="${webUrl}/${nameProject(project)}/pull/${proposed}">pull request #${proposed}</a>. The settings change when it is merged.</p></div>`}
${renderMistakes(project, webUrl)}
${[...groups, ...(more.length > 0 ? [{ title: 'More', names: more }] : [])].map(
  ({ title, names }) => html`<h2 class="part">${title}</h2>
<div class="panel"><table class="list settings tops"><thead class="sr"><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead>
<tbody>${names.map(row)}</tbody></table></div>`,
)}
${context.length > 0 && renderContext(context, webUrl)}
<h2 class="part">What the App may do</h2>
${renderGrants(grants)}`;
  return { title: 'Settings', project, tab: 'Settings', body };
}

/** A file with mistakes has no say: its last version without any has, or nothing may be changed. */
function renderOrigin(options: {
  name: string;
  value: unknown;
  project: Project;
  source: SettingsSource;
  url: string;
}): Html {
  const { name, value, project, source, url } = options;
  const { file } = source;
  const isBroken = project.settings_problems.length > 0;
  if (isBroken && !project.good_settings)
    return isDefault(name, value) ? html`Default` : html`<span class="tag bad">because of the mistakes</span>`;
  const line =
    file?.problems.length === 0 && isDeepStrictEqual(Reflect.get(file.settings, name), value)
      ? file.lines[name]
      : undefined;
  if (line !== undefined)
    return html`<a href="${url}#L${line}">Line ${line}</a>${isBroken && html` of the last version without mistakes`}`;
  return isDefault(name, value) ? html`Default` : html`<span class="tag set">pagewright.yml</span>`;
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
<td>${paths === null ? 'all' : renderValue('paths', paths)}</td>
<td${problem !== null && html` class="problem"`}>${problem === null ? (state === 'ready' ? 'is read' : 'GitHub has not answered yet') : renderCodes(problem)}${checkedAt && html` <span class="hint block">Asked ${renderTime(checkedAt)}.</span>`}</td></tr>`,
)}</tbody></table></div>`;

function renderValue(name: string, value: unknown): Html {
  if (value === null || value === '') return html`<span class="muted">Not set</span>`;
  if (Array.isArray(value))
    return value.length === 0
      ? html`<span class="muted">None</span>`
      : html`${value.map((item, index) => html`${index > 0 && ', '}<code>${nameItem(item)}</code>`)}`;
  if (typeof value === 'object') return renderValue(name, Object.keys(value));
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`;
  const text = String(value);
  const words = choices[name]?.[text];
  if (words !== undefined) return html`${words}`;
  return text.length > 80 || text.includes('\n')
    ? html`<details class="fold"><summary>${text.split('\n', 1)[0]?.slice(0, 80)} …</summary><pre>${text}</pre></details>`
    : html`<code>${text}</code>`;
}

/** Items that name a repository have more to them. */
const nameItem = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'repository' in item ? String(item.repository) : String(item);

export function renderGrants(grants: Grants): Html {
  if (grants === null) return html`<p class="muted">GitHub did not answer. Reload this page in a moment.</p>`;
  const missing = grants.filter(({ isEnough }) => !isEnough);
  const waiting = [...new Set(missing.flatMap(({ name }) => waitingFeatures[name] ?? []))];
  return html`${
    missing.length > 0 &&
    html`<p class="notice">The App lacks a permission${waiting.length > 0 && html`, so these do not work yet: ${waiting.join('; ')}`}. An owner of the account accepts the App’s request in the installation’s settings on GitHub.</p>`
  }
<div class="panel"><table class="list tops"><thead><tr><th scope="col">Permission</th><th scope="col">Given</th><th scope="col">Why</th></tr></thead>
<tbody>${grants.map(
    ({ name, reason, given, needed, isEnough }) =>
      html`<tr><th scope="row">${namePermission(name)}</th><td${!isEnough && html` class="problem"`}>${nameAccess(given)}${!isEnough && html`, needs ${nameAccess(needed)}`}</td><td class="muted">${reason}</td></tr>`,
  )}</tbody></table></div>`;
}
