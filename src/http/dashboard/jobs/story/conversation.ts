import type { ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import { readRunAnswer, readShownPublication, writeLines } from '../../../../jobs/shown-publication.ts';
import type { Message } from '../../../../store/tables/jobs/messages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { findAsset } from '../../assets/assets.ts';
import { icon, renderAvatar, renderCodes, renderTime } from '../../frame/elements.ts';
import { sourceNames } from '../list/jobs-page.ts';
import { listAnswers, type Story, type StoryRun } from './read-story.ts';
import type { Prose } from './render-markdown.ts';
import type { SendItem } from './send-item.ts';
import { renderSteps } from './steps-and-turns.ts';

export interface Shown {
  /** The page of the job. */
  address: string;
  send: SendItem;
  prose: Prose;
}

/** Messages, each run after the messages that it answers, then waiting messages. */
export function renderConversation(story: Story, { address, send, prose }: Shown): Html {
  const { messages, runs, turns, earlierThan, isNewest } = story;
  const waiting = messages.filter(({ run_id: runId }) => runId === null);
  const sendMessage = (message: Message) => send(message.message_id, renderMessage(message, { address, prose }));
  return html`${earlierThan !== null && html`<p><a href="${address}?before=${earlierThan}">Earlier runs</a></p>`}
<ol class="story" id="story-items">
${runs.map(
  (run) => html`${messages.filter(({ run_id: runId }) => runId === run.run_id).map(sendMessage)}
${send(run.run_id, renderRun(run, { story, address, send, prose, turns: run === runs.at(-1) ? turns : [] }))}`,
)}
${waiting.map(sendMessage)}
${waiting.length > 0 && (runs.at(-1)?.phase ?? 'ended') === 'ended' && html`<li class="run live" id="waiting">${agentSign()}<div class="body"><p class="meta"><strong>Pagewright</strong></p><p class="working">${icon('turning')}Waiting to start</p></div></li>`}
</ol>
${!isNewest && html`<p><a href="${address}">Newest runs</a></p>`}`;
}

const states: Record<Message['state'], string | null> = {
  waiting: 'waiting',
  taken: null,
  answered: null,
  dropped: 'not answered',
};

const renderMessage = (
  message: Message,
  { address, prose }: { address: string; prose: Prose },
): Html => html`<li class="message" id="${message.message_id}">${renderAvatar(message.author)}<div class="body">
<p class="meta"><strong>${message.author}</strong> <span class="source">${sourceNames[message.source]}</span> <a class="when" href="${address}?at=${message.message_id}#${message.message_id}">${renderTime(message.created_at)}</a>${
  states[message.state] !== null && html` <span class="tag">${states[message.state]}</span>`
}</p>
<div class="text prose">${prose(message.prompt)}</div>
</div></li>`;

const agentSign = () => html`<img src="${findAsset('icon.svg')}" alt="" width="28" height="28">`;

function renderRun(
  run: StoryRun,
  { story, address, send, prose, turns }: Shown & { story: Story; turns: ShownTurn[] },
): Html {
  const { run_id: runId, number, phase, outcome, code, sentence, warnings } = run;
  const isLive = phase !== 'ended';
  const isSaidAbove = story.job.status === 'failed' && run === story.runs.at(-1);
  const answer = readRunAnswer(run);
  const answers = listAnswers(story, runId);
  const label = run.turns === 1 ? '1 step' : `${run.turns} steps`;
  const all = `${address}/runs/${runId}`;
  return html`<li class="run ${outcome ?? 'live'}" id="${runId}">${agentSign()}<div class="body">
<p class="meta"><strong>Pagewright</strong> <span class="source">Run ${number}</span> <a class="when" href="${address}?at=${runId}#${runId}">${renderTime(run.ended_at ?? run.started_at)}</a></p>
${
  run.turns > 0 &&
  (turns.length === 0
    ? html`<p class="hint"><a href="${all}">Show ${label}</a></p>`
    : html`<details class="fold" id="${runId}-steps"${isLive && html` open`}><summary>${label}</summary>
${run.turns > turns.length && html`<p class="hint"><a href="${all}">All ${label}</a></p>`}
${renderSteps(turns, runId, { prose, send })}</details>`)
}
${isLive && html`<p class="working">${icon('turning')}${describeWork(run)}</p>`}
${!isLive && !(isSaidAbove && answer === sentence) && renderEnd({ isFailed: outcome === 'failed', isStopped: code === 'cancelled' }, isSaidAbove ? null : sentence, { answer, prose })}
${renderEvidence(run)}
${warnings.map((warning) => html`<p class="notice">${renderCodes(warning)}</p>`)}
${answers.length > 0 && html`<p class="meta">${answers.map(({ kind, url }) => html`<a href="${url}">${kind === 'reply' ? 'Reply on GitHub' : 'Comment on GitHub'}</a> `)}</p>`}
</div></li>`;
}

function describeWork({ waitsFor, phase }: StoryRun): string {
  if (waitsFor !== null) return `Waiting to try again: ${waitsFor}`;
  return phase === 'publishing' ? 'Publishing the change' : 'At work';
}

function renderEnd(
  { isFailed, isStopped }: { isFailed: boolean; isStopped: boolean },
  sentence: string | null,
  { answer, prose }: { answer: string | null; prose: Prose },
): Html {
  const sign = isFailed && !isStopped ? 'problem' : 'text';
  // A run that failed before it published says the same in both.
  if (isFailed && answer === sentence) return html`<p class="${sign}">${renderCodes(sentence ?? '')}</p>`;
  return html`${answer !== null && html`<div class="prose">${prose(answer)}</div>`}
${(isFailed || answer === null) && sentence && html`<p class="${sign}">${renderCodes(sentence)}</p>`}`;
}

/** What the change of a run rests on, by page. False: the agent named nothing. */
function renderEvidence(run: StoryRun): Html | false {
  const evidence = readShownPublication(run)?.evidence ?? [];
  if (evidence.length === 0) return false;
  const pages = [...Map.groupBy(evidence, ({ page }) => page)];
  return html`<details class="fold" id="${run.run_id}-evidence"><summary>Evidence: ${evidence.length === 1 ? '1 place' : `${evidence.length} places`}</summary>
${pages.map(
  ([page, places]) =>
    html`<p><code>${page}</code></p><ul>${places.map(
      ({ claim, repository, path, lines, url, isShown }) =>
        html`<li>${claim} <a href="${url}"><code>${repository}/${path}${lines !== null && `:${writeLines(lines)}`}</code></a>${!isShown && html` <span class="muted">Not in the pull request: not all of its readers may open it.</span>`}</li>`,
    )}</ul>`,
)}</details>`;
}
