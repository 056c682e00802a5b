import type { Message } from '../../../store/tables/messages.ts';
import { type Html, html } from '../../pages/html.ts';
import { renderTime } from '../frame/render-time.ts';
import { doorNames } from './jobs-page.ts';
import type { Story } from './read-story.ts';

/** Messages, each run after those that it answers, and what waits. */
export function renderConversation({ messages, runs }: Story): Html {
  const waiting = messages.filter(({ run_id: runId }) => runId === null);
  return html`<ol class="story">
${runs.map(
  (run) => html`${messages.filter(({ run_id: runId }) => runId === run.run_id).map(renderMessage)}
${renderRun(run)}`,
)}
${waiting.map(renderMessage)}
</ol>`;
}

const states: Record<Message['state'], string | null> = {
  waiting: 'waiting',
  taken: null,
  answered: null,
  dropped: 'not answered',
};

const renderMessage = (message: Message): Html => html`<li class="message">
<p class="meta"><strong>${message.author}</strong> <span class="door">${doorNames[message.source]}</span> ${renderTime(message.created_at)}${
  states[message.state] !== null && html` <span class="tag">${states[message.state]}</span>`
}</p>
<div class="text">${message.prompt}</div>
</li>`;

function renderRun(run: Story['runs'][number]): Html {
  const publication: unknown = run.publication;
  const summary = readSummary(publication);
  const isLive = run.phase !== 'ended';
  return html`<li class="run ${run.outcome ?? 'live'}">
<p class="meta"><strong>Pagewright</strong> <span class="door">Run ${run.number}</span> ${renderTime(run.ended_at ?? run.started_at)}
<span class="muted">${run.turns === 1 ? '1 turn' : `${run.turns} turns`}, ${(run.tokens_in + run.tokens_out).toLocaleString('en')} tokens</span></p>
${isLive ? html`<p class="text working">${run.phase === 'publishing' ? 'Publishing the change' : 'At work'}</p>` : html`<div class="text">${summary ?? run.sentence ?? ''}</div>`}
${!isLive && summary !== null && run.outcome === 'failed' && html`<p class="problem">${run.sentence}</p>`}
${run.warnings.map((warning) => html`<p class="notice">${warning}</p>`)}
</li>`;
}

function readSummary(publication: unknown): string | null {
  if (typeof publication !== 'object' || publication === null || !('summary' in publication)) return null;
  return typeof publication.summary === 'string' ? publication.summary : null;
}
