import { LRUCache } from 'lru-cache';
import { findNearestName } from '../../../../find-nearest-name.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import type { OpenProject } from '../../../../projects/open-project.ts';
import { readStoredSettings } from '../../../../repository/settings.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { createJobBody } from '../../../api/jobs/job-resource.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon, renderField, renderOptions } from '../../frame/elements.ts';
import { type DashboardPage, linkTo } from '../../frame/render-page.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';

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

interface ShownForm {
  project: Project;
  models: readonly string[];
  typed?: TypedJob;
  problems?: Problems;
}

/** What a person asks for, and where, with what and how. Most instructions need nothing but the text. */
export function renderJobForm({ project, models, typed, problems = {} }: ShownForm): Html {
  const settings = readStoredSettings(project.settings);
  const { prompt, ref, model, draft } = typed ?? { prompt: '', ref: '', model: '', draft: settings.draft };
  const base = settings.base ?? project.default_branch;
  const links = linkTo(project.project_id);
  return html`<form class="form job-box panel" method="post" action="${links.newJob}">
${renderField(
  { name: 'prompt', label: 'What should readers find?', problem: problems.prompt },
  (attributes) =>
    html`<textarea${attributes} rows="2" required maxlength="64000" placeholder="${example}">
${prompt}</textarea>`,
)}
<div class="job-options">
${renderField(
  { name: 'ref', label: 'Base branch', problem: problems.ref },
  (attributes) =>
    html`<input${attributes} value="${ref}" placeholder="${base}" list="branches" data-options="${links.branches}" autocomplete="off" spellcheck="false" maxlength="255"><datalist id="branches"><option value="${base}"></datalist>`,
)}
${(models.length > 1 || problems.model !== undefined) && renderModels({ models, preferred: models.find((name) => name === settings.model) ?? models[0] ?? '', model, problem: problems.model })}
<details class="menu" id="job-options"><summary class="button quiet" aria-label="More options">${icon('more')}</summary><div class="panel">
<div class="check"><input type="checkbox" id="draft" name="draft"${draft && html` checked`}><label for="draft">Draft</label>
<span class="hint">Open the pull request as a draft.</span></div>
<button type="button" class="quiet" hidden data-fill="${example}">${icon('pencil')}Fill in an example</button></div></details>
<p class="actions"><span class="hint keys">Ctrl+Enter sends</span><button>${icon('send')}Create job</button></p>
</div></form>`;
}

const mostChips = 4;

/** The model that the settings prefer is chosen by nothing: they may change. */
function renderModels(options: {
  models: readonly string[];
  preferred: string;
  model: string;
  problem: string | undefined;
}): Html {
  const { models, preferred, model, problem } = options;
  const values = models.map((name) => [name === preferred ? '' : name, name] as const);
  if (models.length > mostChips || problem !== undefined)
    return renderField(
      { name: 'model', label: 'Model', problem },
      (attributes) => html`<select${attributes}>${renderOptions(values, model === preferred ? '' : model)}</select>`,
    );
  return html`<fieldset class="chips"><legend>Model</legend>${values.map(
    ([value, name]) =>
      html`<label><input type="radio" name="model" value="${value}"${(value === model || name === model) && html` checked`}><span>${name}</span></label>`,
  )}</fieldset>`;
}

/** The form again, with what is wrong, or with an example. */
export function newJobPage(options: ShownForm & { status?: number; notice?: string | undefined }): DashboardPage {
  const { status = 200, notice, ...shown } = options;
  const body = html`
${notice !== undefined && html`<div class="notice bad marked" role="alert">${icon('alert')}<p>${notice}</p></div>`}
<p class="lead">Say in plain words what readers should find, and where. The agent finds the pages, edits them and opens a pull request.</p>
${renderJobForm(shown)}`;
  return { status, title: 'New job', heading: 'New job', project: shown.project, tab: 'Jobs', body };
}

const mostProjects = 500;
const keptMs = 60_000;
const ownBranches = 'pagewright/';

/** The branches of a repository, for people who choose a base branch. GitHub is asked once a minute and project at most. */
export function createBranches(openProject: OpenProject) {
  const known = new LRUCache<string, Promise<string[]>>({ max: mostProjects, ttl: keptMs });

  const ask = <T>(
    { project, signal }: ProjectVisit,
    read: (client: Awaited<ReturnType<OpenProject>>['client']) => Promise<T>,
  ) =>
    askGitHub(async () => {
      await using access = await openProject(project, { contents: 'read' }, signal);
      const found = await read(access.client);
      return found;
    });

  /** Empty while GitHub does not answer. Without the branches of jobs. */
  function list(visit: ProjectVisit): Promise<string[]> {
    const { project_id: projectId } = visit.project;
    const earlier = known.get(projectId);
    if (earlier) return earlier;
    const asked = ask(visit, (client) => client.listBranches()).then((answer) => {
      if (answer.kind === 'answered') return answer.result.filter((name) => !name.startsWith(ownBranches));
      known.delete(projectId);
      return [];
    });
    known.set(projectId, asked);
    return asked;
  }

  return {
    list,
    /** Why the branch cannot be a base; undefined: it exists. While GitHub does not answer, the run finds out. */
    async findProblem(visit: ProjectVisit, branch: string): Promise<string | undefined> {
      const asked = await ask(visit, (client) => client.findBranchTip(branch));
      if (asked.kind !== 'answered' || asked.result !== undefined) return undefined;
      const near = findNearestName(branch, await list(visit));
      const hint = near === undefined ? 'Create it on GitHub, or choose another.' : `Did you mean ${near}?`;
      return `The repository has no branch ${branch}. ${hint}`;
    },
  };
}
