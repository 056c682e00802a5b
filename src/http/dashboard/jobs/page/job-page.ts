import { nameJob } from '../../../../jobs/list-job-rows.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon, renderBehind, renderField, renderReload } from '../../frame/elements.ts';
import { linkTo } from '../../frame/project-links.ts';
import type { DashboardPage } from '../../frame/render-page.ts';
import { renderConversation } from '../story/conversation.ts';
import { findState, type JobState, nameState } from '../story/find-state.ts';
import { countLeft } from '../story/read-story.ts';
import { type SendItem, sendWhole } from '../story/send-item.ts';
import { renderHead } from './job-head.ts';
import { renderSide, type ShownJob } from './render-side.ts';
import { renderViews } from './views.ts';

export interface FollowUp {
  typed?: string;
  problem?: string;
  status?: number;
  /** An action that could not be done. */
  notice?: string;
}

/** A conversation, and beside it what came of it. */
export function jobPage({ followUp, ...shown }: ShownJob & { followUp: FollowUp }): DashboardPage {
  const { project, story } = shown;
  const { job } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const live = renderLiveParts(shown, { send: sendWhole, notice: followUp.notice });
  const body = html`${live.head}
${renderBehind()}
${renderReload()}
<p class="sr" role="status" id="news"></p>
<div class="panes">
<section class="conversation" aria-labelledby="conversation"><h2 class="sr" id="conversation">Conversation</h2>
<div class="pane from-end" tabindex="0" role="group" aria-label="Messages and runs">${live.story}</div>
${job.status !== 'archived' && renderFollowUp(address, followUp)}
</section>
<div class="beside">${live.views}<div class="pane" tabindex="0" role="group" aria-label="Result">${live.side}</div></div>
</div>`;
  // The tab of a browser tells that a job has ended.
  const state = findState(job, story.runs.at(-1)?.code ?? null);
  const title = `${nameState(state)}: ${nameJob(story)}`;
  return {
    status: followUp.status ?? 200,
    title,
    sign: signs[state],
    skips: job.status === 'archived' ? [] : [{ name: 'follow-up', id: 'end' }],
    project,
    tab: 'Jobs',
    isWorkspace: true,
    body,
  };
}

const signs: Partial<Record<JobState, DashboardPage['sign']>> = {
  working: 'working',
  review: 'ready',
  failed: 'failed',
};

/** The elements that follow the job, by `data-live`. */
export function renderLiveParts(
  shown: ShownJob,
  { send, notice }: { send: SendItem; notice: string | undefined },
): Record<'head' | 'story' | 'views' | 'side', Html> {
  const { project, story, prose, changes, view } = shown;
  const { job } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const events = `${address}/events?after=${job.next_event - 1}${view === undefined ? '' : `&tab=${view}`}`;
  const files = changes?.kind === 'diff' ? changes.diff.files.length : 0;
  const counts = { changes: files, checks: countLeft(story) };
  return {
    head: html`<div class="job-head" id="job" data-live${story.isNewest && html` data-position="after" data-events="${events}"`}>${renderHead(shown, { address, notice })}</div>`,
    story: html`<div id="story" data-live>${renderConversation(story, { address, send, prose })}</div>`,
    views: changes === null ? html`` : renderViews({ address, view, counts }),
    side: renderSide({ ...shown, address, send }),
  };
}

const renderFollowUp = (
  address: string,
  { typed = '', problem }: FollowUp,
): Html => html`<form class="form follow-up" id="end" method="post" action="${address}/messages">
${renderField(
  { name: 'prompt', label: 'Follow-up', problem },
  (attributes) => html`<textarea${attributes} rows="2" required maxlength="64000" placeholder="Ask for a change">
${typed}</textarea>`,
)}
<p class="actions"><span class="hint keys">Ctrl+Enter sends</span><button>${icon('send')}Send</button></p>
</form>`;
