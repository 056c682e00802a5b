import type { Person } from '../../../github/calls/people-calls.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { findAsset, listModules } from '../assets/assets.ts';
import { type IconName, icon, renderAvatar } from './elements.ts';
import { linkTo, nameOf } from './project-links.ts';

type Tab = 'Jobs' | 'Automations' | 'Keys' | 'Webhooks' | 'Usage' | 'Settings';

/** A page of the dashboard. Without `heading`, the body has the `h1`. */
export interface Page {
  status?: number;
  title: string;
  heading?: string;
  body: Html;
  headers?: Record<string, string>;
  /** The project that the page is about. */
  project?: Project;
  tab?: Tab;
  /** One of the operator's pages. */
  isOperators?: boolean;
  /** On a wide screen it fills the window, and its panes scroll. */
  isWorkspace?: boolean;
}

/** The person who views a page; undefined: nobody is signed in. */
type Viewer = { person: Person; isOperator: boolean } | undefined;

/** The whole document. */
export function renderPage(
  { title, heading, body, project, tab, isOperators = false, isWorkspace = false }: Page,
  viewer: Viewer,
): string {
  const titles = new Set([title, ...(project ? [nameOf(project)] : []), 'Pagewright']);
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${[...titles].join(' · ')}</title>
<link rel="icon" href="${findAsset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${findAsset('dashboard.css')}">
<script src="${findAsset('dashboard.js')}" type="module"></script>
${listModules().map((path) => html`<link rel="modulepreload" href="${path}">`)}
</head>
<body${isWorkspace && html` class="workspace"`}>
<a class="skip" href="#main">Skip to content</a>
${renderTop(viewer, { project, isOperators })}
${project && viewer && renderTabs(project, tab)}
<main id="main"${viewer ? null : html` class="narrow"`}>
${heading !== undefined && html`<h1>${heading}</h1>`}
${body}
</main>
</body>
</html>
`;
  return text;
}

const renderTop = (
  viewer: Viewer,
  { project, isOperators }: { project: Project | undefined; isOperators: boolean },
): Html => html`<header class="top">
<a class="brand" href="/"><img src="${findAsset('icon.svg')}" alt="" width="22" height="22">Pagewright</a>
${project && viewer && html`<span class="crumb" aria-hidden="true">/</span><a class="crumb" href="${linkTo(project.project_id).jobs}">${nameOf(project)}</a>`}
${
  viewer &&
  html`<div class="account">${viewer.isOperator && html`<a href="/operator"${isOperators && html` aria-current="page"`}>${icon('pulse')}Operator</a>`}
<span class="who" title="Signed in as ${viewer.person.login}">${renderAvatar(viewer.person.login)}${viewer.person.login}</span>
<form method="post" action="/auth/sign-out"><button class="quiet">Sign out</button></form></div>`
}
</header>`;

function renderTabs({ project_id: projectId }: Project, tab: Tab | undefined): Html {
  const { jobs, automations, keys, webhooks, usage, settings } = linkTo(projectId);
  const tabs: [Tab, string, IconName][] = [
    ['Jobs', jobs, 'list'],
    ['Automations', automations, 'spark'],
    ['Keys', keys, 'key'],
    ['Webhooks', webhooks, 'signal'],
    ['Usage', usage, 'chart'],
    ['Settings', settings, 'sliders'],
  ];
  return html`<nav class="tabs" aria-label="Project"><ul>${tabs.map(
    ([name, href, sign]) =>
      html`<li><a href="${href}"${name === tab && html` aria-current="page"`}>${icon(sign)}${name}</a></li>`,
  )}</ul></nav>`;
}
