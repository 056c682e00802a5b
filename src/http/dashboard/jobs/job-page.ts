import { archiveReasons } from '../../../jobs/archive-job.ts';
import type { Project } from '../../../store/tables/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { linkTo } from '../frame/project-links.ts';
import { renderField } from '../frame/render-field.ts';
import type { Page } from '../frame/render-page.ts';
import { renderStatus } from '../frame/render-status.ts';
import { renderTime } from '../frame/render-time.ts';
import { renderConversation } from './conversation.ts';
import { nameJob } from './jobs-page.ts';
import type { Story } from './read-story.ts';

export interface FollowUp {
  typed?: string;
  problem?: string;
  status?: number;
}

export function jobPage({ project, story, followUp }: { project: Project; story: Story; followUp: FollowUp }): Page {
  const { job, messages } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const title = nameJob({ job, first: messages[0] });
  const body = html`<div class="job-head">
${renderStatus(job.status)}
<h1>${title}</h1>
${renderFacts(story)}
<div class="actions">${renderActions(story, address)}</div>
</div>
${renderCallout(story)}
<div class="columns">
<section class="conversation" aria-labelledby="conversation"><h2 id="conversation">Conversation</h2>
${renderConversation(story)}
${job.status !== 'archived' && renderFollowUp(address, followUp)}
</section>
<section class="changes" aria-labelledby="changes"><h2 id="changes">Changes</h2>
${renderChanges(story)}
</section>
</div>`;
  return { status: followUp.status ?? 200, title, project, room: 'Jobs', body };
}

function renderFacts({ job, messages, runs }: Story): Html {
  const [first] = messages;
  const tokens = runs.reduce((sum, run) => sum + run.tokens_in + run.tokens_out, 0);
  return html`<p class="facts">
${job.pull_request_number !== null && job.pull_request_url !== null && html`<a class="fact strong" href="${job.pull_request_url}">Pull request #${job.pull_request_number}</a>`}
<span class="fact"><code>${job.branch ?? job.base}</code>${job.branch !== null && html` into <code>${job.base}</code>`}</span>
<span class="fact">${job.model}</span>
${tokens > 0 && html`<span class="fact">${tokens.toLocaleString('en')} tokens</span>`}
<span class="fact">${first && html`${first.author}, `}${renderTime(job.created_at)}</span></p>`;
}

function renderActions({ job }: Story, address: string): Html {
  const button = (name: string, path: string, question?: string) =>
    html`<form method="post" action="${address}/${path}"${question !== undefined && html` data-confirm="${question}"`}><button class="quiet">${name}</button></form>`;
  if (job.status === 'archived') return html``;
  return html`${job.status === 'active' && button('Cancel', 'cancel', 'Stop the run? Changes that were pushed stay.')}
${button('Archive', 'archive', 'Archive the job? It takes no more instructions; its pull request stays as it is.')}`;
}

/** Why a job stands still, and what to do. */
function renderCallout({ job, runs }: Story): Html | false {
  if (job.status === 'archived' && job.archive_reason)
    return html`<p class="notice">${archiveReasons[job.archive_reason]}</p>`;
  const last = runs.at(-1);
  if (job.status !== 'failed' || !last?.sentence) return false;
  return html`<p class="notice bad"><strong>${last.sentence}</strong> Send a follow-up to try again.</p>`;
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
<p class="actions"><button>Send</button></p>
</form>`;

function renderChanges({ job }: Story): Html {
  if (job.pull_request_url === null || job.pull_request_number === null)
    return html`<p class="muted">${job.status === 'active' ? 'Nothing is published yet.' : 'This job changed nothing.'}</p>`;
  return html`<p><a href="${job.pull_request_url}/files">The files that pull request ${job.pull_request_number} changes, on GitHub</a></p>`;
}
