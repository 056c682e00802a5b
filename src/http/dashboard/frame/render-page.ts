import type { Person } from '../../../github/calls/people-calls.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { findAsset, listModules } from '../assets/assets.ts';
import { type IconName, icon, renderAvatar } from './elements.ts';

/** Those that not only maintainers may open. */
const forWriters = ['Jobs', 'Automations', 'Usage'];
const signs = {
  Jobs: 'list',
  Automations: 'spark',
  Keys: 'key',
  Webhooks: 'signal',
  Usage: 'chart',
  Settings: 'sliders',
} as const satisfies Record<string, IconName>;
type Tab = keyof typeof signs;
const tabs = Object.keys(signs).filter((name): name is Tab => name in signs);

/** A page of the dashboard. Without `heading`, the body has the `h1`. */
export interface DashboardPage {
  status?: number;
  title: string;
  heading?: string;
  body: Html;
  headers?: Record<string, string>;
  /** The project that the page is about. */
  project?: Project;
  tab?: Tab;
  /** What the icon of the browser's tab tells. */
  sign?: 'working' | 'ready' | 'failed' | undefined;
  /** Parts of the page that a keyboard reaches at once. */
  skips?: { name: string; id: string }[];
  /** One of the operator's pages. */
  isOperators?: boolean;
  /** It has little to say: a refusal. */
  isNarrow?: boolean;
  /** On a wide screen it fills the window, and its panes scroll. */
  isWorkspace?: boolean;
}

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The person who views a page; undefined: nobody is signed in. */
export type Viewer = { person: Person; isOperator: boolean; isMaintainer: boolean } | undefined;

/** The whole document. */
export function renderPage(
  {
    title,
    heading,
    body,
    project,
    tab,
    sign,
    isOperators = false,
    isNarrow,
    isWorkspace = false,
    skips = [],
  }: DashboardPage,
  { viewer, theme }: { viewer: Viewer; theme: Theme },
): string {
  const titles = new Set([title, ...(project ? [nameProject(project)] : []), 'Pagewright']);
  const { html: text } = html`<!doctype html>
<html lang="en"${theme !== 'system' && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">
<title>${[...titles].join(' · ')}</title>
<link rel="icon" href="${findAsset(sign === undefined ? 'icon.svg' : `icon-${sign}.svg`)}" type="image/svg+xml">
<link rel="stylesheet" href="${findAsset('dashboard.css')}">
<script src="${findAsset('dashboard.js')}" type="module"></script>
${listModules().map((path) => html`<link rel="modulepreload" href="${path}">`)}
</head>
<body${isWorkspace && html` class="workspace"`}>
<a class="skip" href="#main">Skip to content</a>${skips.map(({ name, id }) => html`<a class="skip" href="#${id}">Skip to ${name}</a>`)}
${renderTop(viewer, { project, isOperators, theme })}
${project && viewer && renderTabs(project, { tab, viewer })}
<main id="main"${(!viewer || isNarrow) && html` class="narrow"`}>
${heading !== undefined && html`<h1>${heading}</h1>`}
${body}
</main>
</body>
</html>
`;
  return text;
}

interface Place {
  project: Project | undefined;
  isOperators: boolean;
  theme: Theme;
}

function renderTop(viewer: Viewer, { project, isOperators, theme }: Place): Html {
  const search = project ? linkTo(project.project_id).search : '/search';
  return html`<header class="top">
<a class="brand" href="/"><img src="${findAsset('icon.svg')}" alt="" width="22" height="22">Pagewright</a>
${project && viewer && html`<span class="crumb" aria-hidden="true">/</span><a class="crumb" href="${linkTo(project.project_id).jobs}">${nameProject(project)}</a>`}
${
  viewer &&
  html`<a class="find" href="${search}" data-palette>${icon('search')}<span>Search or jump to…</span><kbd aria-hidden="true" hidden>/</kbd></a>
${renderAccount(viewer, { isOperators, theme })}`
}
</header>`;
}

const renderAccount = (
  { person: { login }, isOperator }: NonNullable<Viewer>,
  { isOperators, theme }: { isOperators: boolean; theme: Theme },
): Html => html`<details class="menu account" id="account"><summary aria-label="Account of ${login}">${renderAvatar(login)}</summary>
<div class="panel"><p class="hint">Signed in as <strong>${login}</strong></p>
<ul><li><a href="/projects">${icon('file')}Your projects</a></li>
${isOperator && html`<li><a href="/operator"${isOperators && html` aria-current="page"`}>${icon('pulse')}Operator</a></li>`}
<li><a href="/docs">${icon('terminal')}API reference</a></li></ul>
<form method="post" action="/theme"><fieldset class="choices"><legend class="sr">Theme</legend>${themes.map(
  (name) => html`<button name="theme" value="${name}"${name === theme && html` aria-pressed="true"`}>${name}</button>`,
)}</fieldset></form>
<form method="post" action="/auth/sign-out"><button class="quiet">${icon('leave')}Sign out</button></form></div></details>`;

/** The pages of a project that the viewer may open. */
export const listTabs = ({ project_id: projectId }: Project, isMaintainer: boolean): { name: Tab; href: string }[] =>
  tabs
    .filter((name) => isMaintainer || forWriters.includes(name))
    .map((name) => ({ name, href: `${linkTo(projectId).jobs}${name === 'Jobs' ? '' : `/${name.toLowerCase()}`}` }));

const renderTabs = (
  project: Project,
  { tab, viewer: { isMaintainer } }: { tab: Tab | undefined; viewer: NonNullable<Viewer> },
): Html =>
  html`<nav class="tabs" aria-label="Project"><ul>${listTabs(project, isMaintainer).map(
    ({ name, href }) =>
      html`<li><a href="${href}"${name === tab && html` aria-current="page"`}>${icon(signs[name])}${name}</a></li>`,
  )}</ul></nav>`;

/** The addresses of a project's pages. */
export const linkTo = (projectId: string) => {
  const jobs = `/projects/${projectId}`;
  return {
    jobs,
    events: `${jobs}/events`,
    search: `${jobs}/search`,
    branches: `${jobs}/branches`,
    newJob: `${jobs}/jobs/new`,
    job: (jobId: string) => `${jobs}/jobs/${jobId}`,
    images: (jobId: string, sha: string) => `${jobs}/jobs/${jobId}/images/${sha}`,
    automations: `${jobs}/automations`,
    keys: `${jobs}/keys`,
    webhooks: `${jobs}/webhooks`,
    usage: `${jobs}/usage`,
    settings: `${jobs}/settings`,
  };
};

export const nameProject = ({ owner, repo }: { owner: string; repo: string }): string => `${owner}/${repo}`;
