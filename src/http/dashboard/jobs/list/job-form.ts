import { readStoredSettings } from '../../../../repository/settings.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { createJobBody } from '../../../api/jobs/job-body.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon, renderField, renderOptions } from '../../frame/elements.ts';
import { linkTo } from '../../frame/project-links.ts';
import type { Page } from '../../frame/render-page.ts';

/** The form of a new job, as a person filled it in. */
interface TypedJob {
  prompt: string;
  ref: string;
  model: string;
  draft: boolean;
}

export const readTypedJob = (form: URLSearchParams): TypedJob => ({
  prompt: form.get('prompt') ?? '',
  ref: (form.get('ref') ?? '').trim(),
  model: form.get('model') ?? '',
  draft: form.has('draft'),
});

type Problems = Partial<Record<keyof TypedJob, string>>;

/** The same rules as the API's. Empty choices leave the decision to the repository's settings. */
export function checkTypedJob({ prompt, ref, model, draft }: TypedJob, models: readonly string[]) {
  const parsed = createJobBody({ models }).safeParse({
    prompt,
    draft,
    ...(ref !== '' && { ref }),
    ...(model !== '' && { model }),
  });
  if (parsed.success) return { job: parsed.data, problems: {} };
  const names: Record<string, string> = { prompt: 'The instruction', ref: 'The base branch', model: 'The model' };
  const problems: Problems = Object.fromEntries(
    parsed.error.issues.map(({ path: [name = ''], message }) => [
      name,
      `${names[String(name)] ?? String(name)} ${message}.`,
    ]),
  );
  return { job: undefined, problems };
}

const example = 'Fix the typos in the README, and check that its links lead somewhere.';

/** For the first visit. */
export const exampleJob = ({ settings }: Project): TypedJob => ({
  prompt: example,
  ref: '',
  model: '',
  draft: readStoredSettings(settings).draft,
});

export function newJobPage({
  project,
  models,
  typed,
  problems = {},
  status = 200,
  notice,
}: {
  project: Project;
  models: readonly string[];
  typed?: TypedJob;
  problems?: Problems;
  status?: number;
  notice?: string;
}): Page {
  const settings = readStoredSettings(project.settings);
  const empty = { prompt: '', ref: '', model: '', draft: settings.draft };
  const { prompt } = typed ?? empty;
  const body = html`
${notice !== undefined && html`<div class="notice bad marked" role="alert">${icon('alert')}<p>${notice}</p></div>`}
<form class="form" method="post" action="${linkTo(project.project_id).newJob}">
${renderField(
  {
    name: 'prompt',
    label: 'Instruction',
    problem: problems.prompt,
    hint: 'Say in plain words what readers should find, and where. The agent finds the pages.',
  },
  (attributes) =>
    html`<textarea${attributes} class="tall" rows="7" required maxlength="64000" placeholder="${example}">
${prompt}</textarea>`,
)}
${renderOptionsOf({ project, models, typed: typed ?? empty, problems })}
<p class="actions"><button>${icon('send')}Create job</button> <button type="button" class="quiet" hidden data-fill="${example}">Fill in an example</button></p>
</form>`;
  return { status, title: 'New job', heading: 'New job', project, tab: 'Jobs', body };
}

/** Where a new job works, with what, and how its pull request is opened. */
function renderOptionsOf({
  project,
  models,
  typed: { ref, model, draft },
  problems = {},
}: {
  project: Project;
  models: readonly string[];
  typed: TypedJob;
  problems?: Problems;
}): Html {
  const settings = readStoredSettings(project.settings);
  const preferred = models.find((name) => name === settings.model) ?? models[0] ?? '';
  const base = settings.base ?? project.default_branch;
  return html`<div class="row">
${renderField(
  { name: 'ref', label: 'Base branch', problem: problems.ref, hint: `The pull request targets it. Empty: ${base}.` },
  (attributes) =>
    html`<input${attributes} value="${ref}" placeholder="${base}" autocomplete="off" spellcheck="false" maxlength="255">`,
)}
${renderField(
  { name: 'model', label: 'Model', problem: problems.model },
  (attributes) =>
    html`<select${attributes}>${renderOptions([['', `Default (${preferred})`], ...models.map((name) => [name, name] as const)], model)}</select>`,
)}
</div>
<div class="check"><input type="checkbox" id="draft" name="draft"${draft && html` checked`}><label for="draft">Draft</label>
<span class="hint">Open the pull request as a draft.</span></div>`;
}

/** The form above the list of jobs. Most instructions need nothing else. */
export function renderJobBox({ project, models }: { project: Project; models: readonly string[] }): Html {
  const { draft } = readStoredSettings(project.settings);
  return html`<form class="form job-box panel" method="post" action="${linkTo(project.project_id).newJob}">
<label for="prompt">What should readers find?</label>
<textarea id="prompt" name="prompt" rows="2" required maxlength="64000" placeholder="${example}"></textarea>
<details class="fold" id="job-options"><summary>Branch, model, draft</summary><div class="form">${renderOptionsOf({ project, models, typed: { prompt: '', ref: '', model: '', draft } })}</div></details>
<p class="actions"><span class="hint keys">Ctrl+Enter sends</span><button>${icon('send')}Create job</button></p>
</form>`;
}
