import { type Html, html } from '../../pages/html.ts';

/** Drawn on 16 by 16, in lines of 1.5. */
const shapes = {
  alert: 'M8 2.5 14 13H2zM8 6.6v2.9M8 11.4h.01',
  archive: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.8h3',
  arrow: 'm6 3.5 4.5 4.5L6 12.5',
  bell: 'M4.5 11V7a3.5 3.5 0 0 1 7 0v4l1.2 1.2H3.3zM6.8 13.8h2.4',
  branch:
    'M4 5.4v5.2M12 5.4v.4a3 3 0 0 1-3 3H4.2M2.4 3.8a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M2.4 12.2a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M10.4 3.8a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0',
  chart: 'M3 13V9M8 13V3M13 13V6.5',
  check: 'm3.2 8.4 3.2 3.2 6.4-7',
  clock: 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8M8 4.8V8l2.2 1.4',
  columns: 'M2.5 3.5h11v9h-11zM8 3.5v9',
  cross: 'm4 4 8 8M12 4l-8 8',
  down: 'M3.5 6 8 10.5 12.5 6',
  download: 'M8 2.5v7.4M5 7l3 3 3-3M3 13.3h10',
  external:
    'M9.5 2.5h4v4M13.3 2.7 7.5 8.5M6.5 3.5H4A1.5 1.5 0 0 0 2.5 5v7A1.5 1.5 0 0 0 4 13.5h7a1.5 1.5 0 0 0 1.5-1.5V9.5',
  file: 'M4 2h5l3.2 3.2V14H4zM9 2v3.4h3.2',
  key: 'M2.4 10.9a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0M7.1 9 13 3M10.4 5.6l2.1 2.1',
  leave: 'M6.5 2.5h-3v11h3M7 8h6.5M10.5 5l3 3-3 3',
  list: 'M5.8 4h7.7M5.8 8h7.7M5.8 12h7.7M2.6 4h.01M2.6 8h.01M2.6 12h.01',
  merge:
    'M4 5.4v5.2M4.4 5.3c.8 2.4 3 3.6 6 3.7M2.4 3.8a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M2.4 12.2a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M10.4 9a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0',
  message: 'M2.5 3.2h11v8H7.2L4.2 14v-2.8H2.5z',
  more: 'M3 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
  pencil: 'm10.5 2.9 2.6 2.6L6 12.6l-3.4.8.8-3.4z',
  person: 'M5.3 5.3a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0M2.8 13.6a5.2 5.2 0 0 1 10.4 0',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  pulse: 'M1.5 8h3l2-5 3 10 2-5h3',
  request:
    'M4 5.4v5.2M12 10.6V6.5a2 2 0 0 0-2-2H8M9.6 2.7 7.8 4.5l1.8 1.8M2.4 3.8a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M2.4 12.2a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M10.4 12.2a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0',
  rows: 'M2.5 3.5h11v9h-11zM2.5 8h11',
  search: 'M2.8 7a4.2 4.2 0 1 0 8.4 0 4.2 4.2 0 1 0-8.4 0M10.2 10.2l3.2 3.2',
  send: 'M8 13V3.4M4 7.2l4-4 4 4',
  shield: 'M8 2l5 1.8v4c0 3-2.1 5-5 6.2-2.9-1.2-5-3.2-5-6.2v-4zM5.9 7.9l1.5 1.5 2.8-3',
  signal: 'M6.4 8a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M4.4 4.4a5.1 5.1 0 0 0 0 7.2M11.6 4.4a5.1 5.1 0 0 1 0 7.2',
  sliders: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.3v3.4M6 9.3v3.4',
  stop: 'M3.2 3.2h9.6v9.6H3.2z',
  spark: 'm8 2 1.5 4.5L14 8 9.5 9.5 8 14 6.5 9.5 2 8l4.5-1.5z',
  turning: 'M8 2.2A5.8 5.8 0 1 1 2.2 8',
  terminal: 'm3 4.5 3.2 3.5L3 11.5M8 12h5',
} as const;

export type IconName = keyof typeof shapes;

/** Decoration only: the text beside it has the meaning. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon${name === 'turning' && ' turning'}" viewBox="0 0 16 16" aria-hidden="true"><path d="${shapes[name]}"/></svg>`;

/** The first letter of a name: pages load no picture from GitHub. */
export const renderAvatar = (name: string): Html =>
  html`<span class="avatar" aria-hidden="true">${[...name][0] ?? ''}</span>`;

/** The script shows it while the page is not connected. */
export const renderBehind = (): Html =>
  html`<div class="behind" role="status"><div class="notice marked" hidden>${icon('alert')}<p><strong>The connection is lost.</strong> This page may be out of date. It tries again by itself.</p></div></div>`;

/** Shown without scripts: nothing else says that a page does not follow what happens. */
export const renderReload = (): Html => html`<p class="reload hint"><a href="">Reload</a> to see what is new.</p>`;

/** A button that copies `text`. Without the script, it is hidden. */
export const renderCopy = (text: string): Html =>
  html`<button type="button" class="quiet" hidden data-copy="${text}">Copy</button>`;

/** Versions of a page, of which one is shown. */
export const renderChoices = (
  label: string,
  choices: readonly { name: Html | string; href: string; isCurrent: boolean }[],
): Html =>
  html`<ul aria-label="${label}">${choices.map(({ name, href, isCurrent }) => html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}>${name}</a></li>`)}</ul>`;

/** Opens a panel below a button. The script closes it. */
export const renderMenu = (id: string, name: string, content: Html): Html =>
  html`<details class="menu" id="${id}"><summary class="button quiet">${name}${icon('down')}</summary><div class="panel">${content}</div></details>`;

export const renderOlder = (href: string): Html =>
  html`<p><a class="button quiet" rel="next" href="${href}">Older${icon('arrow')}</a></p>`;

interface Post {
  /** The address that does it. */
  action: string;
  name: Html | string;
  /** Asked first. */
  question?: string | undefined;
  /** What the button of the question says; default: the name. */
  verb?: string;
  look?: string;
  /** Sent with it. */
  fields?: Record<string, string>;
}

/** A button that does something. */
export const renderPost = ({ action, name, question, verb, look = 'quiet', fields = {} }: Post): Html =>
  html`<form method="post" action="${action}"${question !== undefined && html` data-confirm="${question}"`}${verb !== undefined && html` data-verb="${verb}"`}>${Object.entries(fields).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}<button class="${look}">${name}</button></form>`;

/** A sentence that quotes names in backticks. */
export const renderCodes = (sentence: string): Html =>
  html`${sentence.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

interface Field {
  name: string;
  label: string;
  /** The error of the value. */
  problem?: string | undefined;
  hint?: Html | string;
  /** Takes more of its row. */
  isLong?: boolean;
}

/** A labelled control with its hint and problem, which screen readers read with it. The first one with a problem has the focus. */
export function renderField(
  { name, label, problem, hint, isLong = false }: Field,
  control: (attributes: Html) => Html,
): Html {
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(
    (id) => id !== false,
  );
  const attributes = html` id="${name}" name="${name}"${problem !== undefined && html` aria-invalid="true" autofocus`}${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }`;
  return html`<div class="field${isLong && ' long'}">
<label for="${name}">${label}</label>
${control(attributes)}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="problem" id="${name}-problem" role="alert">${renderCodes(problem)}</p>`}
</div>`;
}

export const renderOptions = (options: readonly (readonly [value: string, label: string])[], selected: string): Html =>
  html`${options.map(([value, label]) => html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`)}`;

/** Shows what a person typed into the form at `address`, on the page that replaces it. The script restores it in that form. */
export const renderTyped = (typed: string, address: string): Html | false =>
  typed !== '' &&
  html`<div class="field"><label for="typed">What you typed</label>
<textarea id="typed" rows="4" readonly data-draft="${address}" aria-describedby="typed-hint">
${typed}</textarea>
<p class="hint" id="typed-hint">Copy it, in case its form is empty when you come back.</p></div>`;

export const renderCounts = ({ additions, deletions }: { additions: number; deletions: number }): Html =>
  html`<span class="counts"><span class="plus"><span class="sr">Added lines: </span>+${additions}</span> <span class="minus"><span class="sr">removed lines: </span>−${deletions}</span></span>`;

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** To the second. */
export const formatUtc = (moment: Date): string => `${moment.toISOString().replace('T', ' ').slice(0, 19)} UTC`;

/** `3 minutes ago`, with the exact time in UTC; the script of the dashboard shows it in the reader's zone. */
export function renderTime(moment: Date, now = new Date()): Html {
  const iso = moment.toISOString();
  return html`<time datetime="${iso}" title="${formatUtc(moment)}">${formatRelative(moment, now)}</time>`;
}

export function formatRelative(moment: Date, now: Date): string {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1_000);
  const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
  return unit ? relative.format(Math.round(seconds / length), unit) : seconds > 0 ? 'in a moment' : 'just now';
}

/** `1 m 12 s`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.round(elapsedMs / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} m`;
  return minutes > 0 ? `${minutes} m ${seconds % 60} s` : `${seconds} s`;
}

/** The time since a moment; the script of the dashboard lets it run. */
export const renderElapsed = (since: Date, now = new Date()): Html =>
  html`<time class="elapsed" datetime="${since.toISOString()}">${formatElapsed(now.getTime() - since.getTime())}</time>`;
