import { defaultSettings, type Settings, settingsPath } from '../../../repository/settings.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCodes, renderField, renderOptions } from '../frame/elements.ts';
import { type DashboardPage, linkTo } from '../frame/render-page.ts';
import { linkToFile } from './render-mistakes.ts';
import type { WantedSettings } from './settings-file.ts';

const lists = ['paths', 'also', 'labels', 'reviewers', 'also_to', 'checks_off'];
const boxes = ['draft', 'sign_off', 'co_authors'];

/** What a person filled in, as the file would have it. Nothing typed is the default. Problems are found in the file that it makes. */
export function readWanted(form: URLSearchParams): WantedSettings {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const lines = (name: string) =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const entries = groups
    .flatMap(({ names }) => names)
    .map((name): [string, unknown] => {
      if (boxes.includes(name)) return [name, form.has(name)];
      if (text(name) === '') return [name, defaultSettings[name]];
      if (name === 'fix_checks') return [name, Number(text(name))];
      return [name, lists.includes(name) ? lines(name) : text(name)];
    });
  return Object.fromEntries(entries);
}

/** Proposes a change of the settings. */
export function settingsForm(request: {
  project: Project;
  /** As they are filled in. */
  settings: Settings | WantedSettings;
  models: readonly string[];
  webUrl: string;
  /** Mistakes of the file, or of what was typed. */
  problems: readonly string[];
  status: number;
}): DashboardPage {
  const { project, settings, models, webUrl, problems, status } = request;
  const links = linkTo(project.project_id);
  const fileUrl = linkToFile(project, webUrl);
  const isOf = (name: string) => (problem: string) => problem.toLowerCase().includes(`\`${name}\``);
  const elsewhere = problems.filter(
    (problem) => !groups.some(({ names }) => names.some((name) => isOf(name)(problem))),
  );
  const field = (name: string) => {
    const value: unknown = Reflect.get(settings, name);
    const own = problems.filter(isOf(name));
    if (boxes.includes(name))
      return html`<div class="check"><input type="checkbox" id="${name}" name="${name}"${value === true && html` checked`}><label for="${name}">${labels[name]}</label>${own.map((problem) => html`<p class="problem" role="alert">${renderCodes(problem)}</p>`)}</div>`;
    const problem = own.length > 0 ? own.join('. ') : undefined;
    const label = labels[name] ?? name;
    const hint = hints[name];
    return renderField({ name, label, problem, ...(hint !== undefined && { hint }) }, (attributes) =>
      renderControl(name, { value, attributes, models, project }),
    );
  };
  const body = html`<p class="back"><a href="${links.settings}">Settings</a></p>
<h1>Propose a change</h1>
<p class="lead">Pagewright opens a pull request that changes <a href="${fileUrl}"><code>${settingsPath}</code></a> and says that you proposed it. Nothing changes until it is merged.</p>
${elsewhere.length > 0 && html`<div class="notice bad marked" role="alert">${icon('alert')}<ul>${elsewhere.map((problem) => html`<li>${renderCodes(problem)}</li>`)}</ul></div>`}
<form class="form" method="post" action="${links.settings}/edit">
${groups.map(({ title, names }) => html`<fieldset class="group"><legend>${title}</legend>${names.map(field)}</fieldset>`)}
<p class="actions"><button>${icon('request')}Open pull request</button> <a class="button quiet" href="${links.settings}">Back</a></p>
</form>
<p class="hint">Other settings, such as automations, are written in <a href="${fileUrl}">the file</a>.</p>`;
  return { status, title: 'Propose a change', project, tab: 'Settings', body };
}

const hints: Record<string, string> = {
  paths: 'One glob a line, like docs/**. Empty: all pages and navigation.',
  also: 'One glob a line, for style sheets, data and texts.',
  instructions: 'The agent reads them before each run, like a style guide in short.',
  labels: 'One a line.',
  reviewers: 'One login or organization/team a line.',
  also_to: 'One branch a line, like release/2.x.',
  fix_checks: '0: never.',
  checks_off: 'One kind a line, like alt-text.',
  preview: 'Empty: where deployments say. An address with {number}, or off.',
};

interface Control {
  value: unknown;
  attributes: Html;
  models: readonly string[];
  project: Project;
}

function renderControl(name: string, { value, attributes, models, project }: Control): Html {
  if (lists.includes(name) || name === 'instructions') {
    const text = Array.isArray(value) ? value.join('\n') : String(value ?? '');
    return html`<textarea${attributes} rows="${name === 'instructions' ? 6 : 2}" spellcheck="${name === 'instructions' ? 'true' : 'false'}">
${text}</textarea>`;
  }
  const text = String(value ?? '');
  if (name === 'base')
    return html`<input${attributes} value="${text}" placeholder="${project.default_branch}" autocomplete="off" spellcheck="false">`;
  if (name === 'preview') return html`<input${attributes} value="${text}" autocomplete="off" spellcheck="false">`;
  if (name === 'fix_checks') return html`<input${attributes} type="number" min="0" value="${text}">`;
  const known: [string, string][] =
    name === 'model' ? models.map((model) => [model, model]) : Object.entries(choices[name] ?? {});
  const first = { model: `Default (${models[0]})`, quote: 'In private repositories only' }[name];
  const options = [...(first === undefined ? [] : [['', first] as const]), ...known];
  const isKnown = text === '' || options.some(([option]) => option === text);
  return html`<select${attributes}>${renderOptions(isKnown ? options : [...options, [text, text]], text)}</select>`;
}

type Name = keyof Settings;

/** The settings as people look for them. */
export const groups: readonly { title: string; names: readonly Name[] }[] = [
  { title: 'Where jobs work', names: ['base', 'paths', 'also'] },
  { title: 'How the agent writes', names: ['instructions', 'model'] },
  { title: 'Comments', names: ['comments', 'mentions'] },
  { title: 'Pull requests', names: ['draft', 'labels', 'reviewers', 'also_to', 'quote', 'sign_off', 'co_authors'] },
  { title: 'Checks', names: ['fix_checks', 'checks', 'checks_off', 'preview'] },
];

export const labels: Record<string, string> = {
  base: 'Base branch',
  paths: 'Files that the agent may change',
  also: 'Further files that it may change',
  generated: 'Generated files that it leaves alone',
  instructions: 'Writing rules',
  model: 'Model of new jobs',
  comments: 'Comments that are instructions',
  mentions: 'Mentions on issues and other pull requests',
  draft: 'Open pull requests as drafts',
  labels: 'Labels',
  reviewers: 'Reviewers',
  quote: 'Quote instructions by API',
  also_to: 'Branches that get merged changes, too',
  sign_off: 'Sign off commits',
  co_authors: 'Credit people in commits',
  fix_checks: 'Rounds in which failing checks are mended',
  checks: 'Check pull requests of everybody',
  checks_off: 'Problems that checks leave alone',
  preview: 'Where pull requests can be seen',
  context: 'Repositories that the agent may read',
  documentation: 'Repositories whose runs may read this one',
  automations: 'Automations',
} satisfies Record<Name, string>;

/** Choices in words, by setting. */
export const choices: Record<string, Record<string, string>> = {
  comments: { all: 'All comments', mention: 'Comments that mention the App', off: 'None, except “stop”' },
  mentions: { all: 'Start work', off: 'Do nothing' },
  generated: { off: 'None' },
  checks: { off: 'No', advise: 'Yes, as advice', require: 'Yes, and fail on what must be fixed' },
  preview: { off: 'Not wanted' },
  quote: { always: 'Always', never: 'Never' },
};
