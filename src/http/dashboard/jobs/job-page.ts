import { findCost, type Prices } from '../../../config/prices.ts';
import { archiveReasons } from '../../../jobs/archive-job.ts';
import { nameJob } from '../../../lists/list-job-rows.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/icon.ts';
import { linkTo } from '../frame/project-links.ts';
import { renderBehind } from '../frame/render-behind.ts';
import { renderField } from '../frame/render-field.ts';
import type { Page } from '../frame/render-page.ts';
import { renderStatus } from '../frame/render-status.ts';
import { renderTime } from '../frame/render-time.ts';
import type { DiffLayout } from './changes/diff-layout.ts';
import type { FoundChanges } from './changes/read-changes.ts';
import { renderDiff } from './changes/render-diff.ts';
import { renderConversation } from './conversation.ts';
import type { Story } from './read-story.ts';
import { renderTrack } from './render-track.ts';

export interface FollowUp {
  typed?: string;
  problem?: string;
  status?: number;
  /** An action that could not be done. */
  notice?: string;
}

/** The script reads the elements with `data-live` again when an event of the job arrives. */
export function jobPage({
  project,
  story,
  changes,
  layout,
  followUp,
  prices,
}: {
  project: Project;
  story: Story;
  /** null: left out, because only the conversation is reloaded. */
  changes: FoundChanges | null;
  layout: DiffLayout;
  followUp: FollowUp;
  prices: Prices;
}): Page {
  const { job, first } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const title = nameJob({ job, first });
  const body = html`<div class="job-head" id="job" data-live data-position="after" data-events="${address}/events?after=${job.next_event - 1}">
${renderStatus(job.status)}
<h1>${title}</h1>
${renderFacts(story, prices)}
<div class="actions">${renderPullRequest(story)}${renderActions(story, address)}</div>
${followUp.notice !== undefined && html`<p class="notice bad" role="alert">${followUp.notice}</p>`}
${renderCallout(story, address)}
${renderTrack(story)}
</div>
${renderBehind()}
<p class="sr" role="status" id="news"></p>
<div class="columns">
<section class="conversation" aria-labelledby="conversation"><h2 id="conversation">Conversation</h2>
<div id="story" data-live>${renderConversation(story, address)}</div>
${job.status !== 'archived' && renderFollowUp(address, followUp)}
</section>
<section class="changes" aria-labelledby="changes"><h2 id="changes">Changes</h2>
<div id="diff"${changes !== null && html` data-live`}>${changes !== null && renderChanges(story, { changes, layout, address })}</div>
</section>
</div>`;
  return { status: followUp.status ?? 200, title, project, tab: 'Jobs', body };
}

function renderFacts({ job, first, runs }: Story, prices: Prices): Html {
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
${tokens > 0 && html`<span class="fact">${icon('chart')}${tokens.toLocaleString('en')} tokens${cost !== null && cost > 0 && html`, cost ${cost.toLocaleString('en', { maximumFractionDigits: 4 })}`}</span>`}
<span class="fact">${icon('clock')}<span>${first && html`${first.author}, `}${renderTime(job.created_at)}</span></span></p>`;
}

const renderPullRequest = ({ job: { pull_request_number: number, pull_request_url: url } }: Story): Html | false =>
  number !== null &&
  url !== null &&
  html`<a class="button" href="${url}">${icon('request')}Pull request #${number}</a>`;

function renderActions({ job }: Story, address: string): Html {
  const button = (name: string, path: string, question?: string) =>
    html`<form method="post" action="${address}/${path}"${question !== undefined && html` data-confirm="${question}"`}><button class="quiet">${name}</button></form>`;
  if (job.status === 'archived') return html`${job.archive_reason !== 'merged' && button('Unarchive', 'unarchive')}`;
  return html`${job.status === 'active' && button('Cancel', 'cancel', 'Stop the run? Changes that were pushed stay.')}
${button('Archive', 'archive', 'Archive the job? It takes no more instructions; its pull request stays as it is.')}`;
}

/** Why a job does not continue, and what to do. */
function renderCallout({ job, runs, messages }: Story, address: string): Html | false {
  if (job.status === 'archived' && job.archive_reason)
    return html`<div class="notice marked quiet-note">${icon('archive')}<p>${archiveReasons[job.archive_reason]}</p></div>`;
  const last = runs.at(-1);
  if (job.status !== 'failed' || !last?.sentence) return false;
  const asked = messages.findLast(({ run_id: runId }) => runId === last.run_id);
  const isStopped = last.code === 'cancelled';
  return html`<div class="notice marked ${isStopped ? 'quiet-note' : 'bad'}">${icon(isStopped ? 'dot' : 'alert')}<div><p><strong>${last.sentence}</strong></p>
<p>${describeRemedy(job, last.code)}</p>
${asked && html`<form method="post" action="${address}/messages"><input type="hidden" name="prompt" value="${asked.prompt}"><button class="quiet">Try again</button></form>`}</div></div>`;
}

function describeRemedy({ project_id: projectId, branch }: Story['job'], code: string | null): Html | string {
  if (code === 'cancelled') return 'To continue, try again, or send another instruction below.';
  // A job keeps its base branch.
  if (code === 'branch_missing' && branch === null)
    return html`Create the branch on GitHub and try again, or create a <a href="${linkTo(projectId).newJob}">new job</a> on another branch.`;
  return 'Fix the problem and try again, or send another instruction below.';
}

const renderFollowUp = (
  address: string,
  { typed = '', problem }: FollowUp,
): Html => html`<form class="form follow-up" id="end" method="post" action="${address}/messages">
${renderField(
  { name: 'prompt', label: 'Follow-up', problem },
  (
    attributes,
  ) => html`<textarea${attributes} rows="3" required maxlength="64000" placeholder="Ask for a change, or for more">
${typed}</textarea>`,
)}
<p class="actions"><button>${icon('send')}Send</button></p>
</form>`;

function renderChanges(
  { job }: Story,
  { changes, layout, address }: { changes: FoundChanges; layout: DiffLayout; address: string },
): Html {
  const { pull_request_url: url } = job;
  if (changes.kind === 'none' || url === null)
    return html`<div class="empty small">${icon('file')}<p>${job.status === 'active' ? 'The change appears here when the agent has published it.' : 'This job changed nothing.'}</p></div>`;
  if (changes.kind === 'unknown')
    return html`<p class="muted">${changes.sentence} <a href="${url}/files">See the change on GitHub</a></p>`;
  return renderDiff(changes.diff, { layout, address, filesUrl: `${url}/files` });
}
