import { findCost, formatCost, type Pricing } from '../../../../config/prices.ts';
import { archiveReasons } from '../../../../jobs/archive-job.ts';
import { nameJob } from '../../../../jobs/list-job-rows.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon, renderCodes, renderCounts, renderElapsed, renderPost, renderTime } from '../../frame/elements.ts';
import { linkTo } from '../../frame/render-page.ts';
import { listMistakes } from '../../settings/render-mistakes.ts';
import type { FoundChanges } from '../changes/read-changes.ts';
import { findState, type JobState, renderState, renderVerdict } from '../story/find-state.ts';
import { countLeft, type Story } from '../story/read-story.ts';
import { describeNow } from '../story/steps-and-turns.ts';
import type { ShownJob } from './render-side.ts';

/** What the job does, or what it wants of people, in one look. `changes`: null if they were not read. */
export function renderHead(
  { story, project, changes, config }: ShownJob,
  { address, notice }: { address: string; notice: string | undefined },
): Html {
  const { job, first, runs } = story;
  const state = findState(job, runs.at(-1)?.code ?? null);
  return html`<h1>${nameJob({ job, first })}</h1>
<div class="actions">${renderPullRequest(story, state)}${renderActions(story.job, address)}${renderMenu(story, { address, pricing: config })}</div>
<p class="state">${renderState(state)}<span class="facts">${describeState(state, story)}${renderSize(state, changes)}${renderLeft(story, address)}${isOpen(state) && renderVerdict(story.verdict, `${job.pull_request_url}/checks`)}</span></p>
${notice !== undefined && html`<p class="notice bad" role="alert">${renderCodes(notice)}</p>`}
${renderCallout(story, { address, project, webUrl: config.github.webUrl })}`;
}

/** Afterwards nobody needs to know what reviewers wanted. */
const isOpen = (state: JobState): boolean => state === 'review' || state === 'working';

function describeState(state: JobState, { runs, turns, progress }: Story): Html | false {
  const last = runs.at(-1);
  if (state !== 'working') return false;
  if (!last || last.phase === 'ended') return html`<span class="fact">waiting to start</span>`;
  return html`<span class="fact">${renderElapsed(last.started_at)}</span>
<span class="fact">${describeWork(last, turns)}</span>
${progress.files.length > 0 && html`<span class="fact">${count(progress.files.length, 'file')}</span>`}`;
}

function describeWork(last: Story['runs'][number], turns: Story['turns']): string {
  if (last.waitsFor !== null) return `waiting to try again: ${last.waitsFor}`;
  return last.phase === 'publishing' ? 'publishing the change' : describeNow(turns);
}

/** A version of the page without the change leaves this as it is. */
function renderSize(state: JobState, changes: FoundChanges | null): Html | false {
  if (state === 'working') return false;
  if (changes === null) return html`<span class="fact" id="size" data-same></span>`;
  if (changes.kind !== 'diff') return false;
  const { files } = changes.diff;
  const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0);
  return html`<span class="fact" id="size">${count(files.length, 'file')} ${renderCounts({ additions: sum('additions'), deletions: sum('deletions') })}</span>`;
}

function renderLeft(story: Story, address: string): Html | false {
  const left = countLeft(story);
  return (
    left > 0 &&
    html`<a class="fact warn" href="${address}?tab=checks" data-view>${icon('alert')}${count(left, 'problem')} left</a>`
  );
}

/** Pagewright merges nothing: people do, on GitHub. */
const renderPullRequest = (
  { job: { pull_request_number: number, pull_request_url: url }, verdict }: Story,
  state: JobState,
): Html | false =>
  number !== null &&
  url !== null &&
  (state === 'review' && isAccepted(verdict)
    ? html`<a class="button" href="${url}">${icon('merge')}Merge #${number} on GitHub</a>`
    : html`<a class="button${!isOpen(state) && ' quiet'}" href="${url}">${icon(state === 'merged' ? 'merge' : 'request')}Pull request #${number}</a>`);

const isAccepted = ({ approvedBy, wantedBy, checks }: Story['verdict']): boolean =>
  approvedBy.length > 0 && wantedBy.length === 0 && (checks === null || checks === 'passing');

/** GitHub refuses to open a job again whose pull request is merged or closed. */
function renderActions({ status, archive_reason: reason }: Story['job'], address: string): Html | false {
  if (status === 'active')
    return renderPost({
      name: 'Cancel',
      action: `${address}/cancel`,
      question: 'Stop the run? Changes that were pushed stay.',
      verb: 'Stop',
      look: 'quiet danger',
    });
  return reason === 'requested' && renderPost({ name: 'Unarchive', action: `${address}/unarchive` });
}

const renderMenu = (story: Story, { address, pricing }: { address: string; pricing: Pricing }): Html =>
  html`<details class="menu" id="job-menu"><summary class="button quiet" aria-label="More">${icon('more')}</summary><div class="panel">${renderFacts(story, pricing)}
${story.job.status === 'active' && html`<button type="button" class="quiet" hidden data-notify>${icon('bell')}Notify me when it ends</button>`}
${
  story.job.status !== 'archived' &&
  renderPost({
    name: html`${icon('archive')}Archive`,
    verb: 'Archive',
    action: `${address}/archive`,
    question: 'Archive the job? It takes no more instructions; its pull request stays as it is.',
  })
}</div></details>`;

/** Why a job does not continue, and what to do. */
function renderCallout(
  { job, runs, messages }: Story,
  { address, project, webUrl }: { address: string; project: Project; webUrl: string },
): Html | false {
  if (job.status === 'archived' && job.archive_reason)
    return html`<div class="notice marked quiet-note">${icon('archive')}<p>${archiveReasons[job.archive_reason]}</p></div>`;
  const last = runs.at(-1);
  if (job.status !== 'failed' || !last?.sentence) return false;
  const asked = messages.findLast(({ run_id: runId }) => runId === last.run_id);
  const isStopped = last.code === 'cancelled';
  const isToEdit = toEdit.has(last.code ?? '');
  return html`<div class="notice marked ${isStopped ? 'quiet-note' : 'bad'}">${icon(isStopped ? 'stop' : 'alert')}<div>${
    last.code === 'settings_invalid' && project.settings_problems.length > 0
      ? html`<p><strong>The settings of this repository have mistakes. Correct the file, then try again.</strong></p>${listMistakes(project, webUrl)}`
      : html`<p><strong>${renderCodes(last.sentence)}</strong></p>`
  }
${describeRemedy(job, last.code)}
${asked && html`<div class="actions">${renderPost({ name: 'Try again', action: `${address}/messages`, look: isToEdit || isStopped ? 'quiet' : '', fields: { prompt: asked.prompt } })}<a class="button${!isToEdit && ' quiet'}" href="${address}?edit=${asked.message_id}#prompt">${icon('pencil')}Edit and resend</a></div>`}</div></div>`;
}

/** The sentence of a run that failed says what to do, but for what only this page offers. */
function describeRemedy({ project_id: projectId, branch }: Story['job'], code: string | null): Html | false {
  if (code === 'cancelled') return html`<p>To continue, try again, or send another instruction below.</p>`;
  // A job keeps its base branch.
  return (
    code === 'branch_missing' &&
    branch === null &&
    html`<p>This job keeps its base branch: a <a href="${linkTo(projectId).newJob}">new job</a> can have another.</p>`
  );
}

/** The codes of runs that fail again with the same instruction. */
const toEdit = new Set(['model_refused', 'stuck', 'model_context', 'protected_paths', 'secret_found']);

const count = (number: number, word: string): string =>
  `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

/** Where the job works, with what, and what it took. */
function renderFacts({ job, first, runs }: Story, { prices, currency }: Pricing): Html {
  const tokens = runs.reduce((sum, run) => sum + run.tokens_in + run.tokens_out, 0);
  const costs = runs.map((run) =>
    findCost(prices, job.model, {
      tokensIn: run.tokens_in,
      tokensCached: run.tokens_cached,
      tokensOut: run.tokens_out,
    }),
  );
  const cost = costs.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
  return html`<p class="facts">
<span class="fact">${icon('branch')}<span><code>${job.branch ?? job.base}</code>${job.branch !== null && html` into <code>${job.base}</code>`}</span></span>
<span class="fact">${icon('spark')}${job.model}</span>
${tokens > 0 && html`<span class="fact">${icon('chart')}${tokens.toLocaleString('en')} tokens${cost !== null && cost > 0 && html`${' '}· ${formatCost(cost, currency)}`}</span>`}
<span class="fact">${icon('clock')}<span>${first && html`${first.author}, `}${renderTime(job.created_at)}</span></span></p>`;
}
