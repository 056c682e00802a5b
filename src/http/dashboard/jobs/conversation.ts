import { readRunAnswer } from '../../../jobs/run-answer.ts';
import type { ShownTurn } from '../../../lists/list-turns.ts';
import type { Message } from '../../../store/tables/jobs/messages.ts';
import { type Html, html } from '../../pages/html.ts';
import { findAsset } from '../assets/assets.ts';
import { icon } from '../frame/icon.ts';
import { renderAvatar } from '../frame/render-avatar.ts';
import { renderMarkdown } from '../frame/render-markdown.ts';
import { renderTime } from '../frame/render-time.ts';
import { sourceNames } from './jobs-page.ts';
import { listAnswers, readPublication, type Story, type StoryRun } from './read-story.ts';
import { renderFiles, renderProblems } from './render-progress.ts';
import { renderTurns } from './render-turns.ts';

/** Messages, each run after the messages that it answers, then waiting messages. */
export function renderConversation(story: Story, address: string): Html {
  const { messages, runs, turns, earlierThan, isNewest } = story;
  const waiting = messages.filter(({ run_id: runId }) => runId === null);
  return html`${earlierThan !== null && html`<p><a href="${address}?before=${earlierThan}">Earlier runs</a></p>`}
<ol class="story">
${runs.map(
  (run) => html`${messages.filter(({ run_id: runId }) => runId === run.run_id).map(renderMessage)}
${renderRun(run, { story, address, turns: run === runs.at(-1) ? turns : [] })}`,
)}
${waiting.map(renderMessage)}
${runs.length === 0 && waiting.length > 0 && html`<li class="run live">${agentSign()}<div class="body"><p class="meta"><strong>Pagewright</strong></p><p class="working">${icon('turning')}Waiting to start</p></div></li>`}
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
): Html => html`<li class="message" id="${message.message_id}">${renderAvatar(message.author)}<div class="body">
<p class="meta"><strong>${message.author}</strong> <span class="source">${sourceNames[message.source]}</span> ${renderTime(message.created_at)}${
  states[message.state] !== null && html` <span class="tag">${states[message.state]}</span>`
}</p>
<div class="text">${message.prompt}</div>
</div></li>`;

const agentSign = () => html`<img src="${findAsset('icon.svg')}" alt="" width="28" height="28">`;

function renderRun(
  run: StoryRun,
  { story, address, turns }: { story: Story; address: string; turns: ShownTurn[] },
): Html {
  const { run_id: runId, number, phase, outcome, sentence, warnings, tokens_in: tokensIn, tokens_out: tokensOut } = run;
  const isLive = phase !== 'ended';
  const files = story.progress.files.filter((file) => file.runId === runId);
  const answers = listAnswers(story, runId);
  const label = run.turns === 1 ? '1 turn' : `${run.turns} turns`;
  return html`<li class="run ${outcome ?? 'live'}" id="${runId}">${agentSign()}<div class="body">
<p class="meta"><strong>Pagewright</strong> <span class="source">Run ${number}</span> ${renderTime(run.ended_at ?? run.started_at)}
${tokensIn + tokensOut > 0 && html`<span>${(tokensIn + tokensOut).toLocaleString('en')} tokens</span>`}</p>
${
  run.turns > 0 &&
  (turns.length === 0
    ? html`<p class="hint"><a href="${address}/runs/${runId}">Show ${label}</a></p>`
    : html`<details class="turns fold" id="${runId}-turns-fold"${isLive && html` open`}><summary>${label}</summary>
${run.turns > turns.length && html`<p><a href="${address}/runs/${runId}">All ${label}</a></p>`}
${renderTurns(turns, runId)}</details>`)
}
${isLive && html`<p class="working">${icon('turning')}${describeWork(run)}</p>`}
${!isLive && renderEnd(outcome, sentence, readRunAnswer(run))}
${isLive && renderFiles(files)}
${renderProblems({ id: `${runId}-checks`, isOpen: isLive, ...listProblems(run, story) })}
${readPublication(run)?.checks?.notChecked.map((sentence) => html`<p class="hint">${sentence}</p>`)}
${warnings.map((warning) => html`<p class="notice">${warning}</p>`)}
${answers.length > 0 && html`<p class="meta">${answers.map(({ kind, url }) => html`<a href="${url}">${kind === 'reply' ? 'Reply on GitHub' : 'Comment on GitHub'}</a> `)}</p>`}
</div></li>`;
}

function describeWork({ waitsFor, phase }: StoryRun): string {
  if (waitsFor !== null) return `Waiting to try again: ${waitsFor}`;
  return phase === 'publishing' ? 'Publishing the change' : 'At work';
}

/** From the events, or from the publication once the events were removed. Only the publication has explanations. */
function listProblems(run: StoryRun, { progress }: Story) {
  const problems = progress.problems.filter(({ runId }) => runId === run.run_id);
  const left = readPublication(run)?.checks ?? { problems: [], more: 0 };
  if (problems.length === 0) return left;
  const isSame = (a: { file: string; message: string }, b: typeof a) => a.file === b.file && a.message === b.message;
  const explain = (problem: (typeof problems)[number]) => ({
    ...problem,
    explanation: left.problems.find((other) => isSame(other, problem))?.explanation ?? null,
  });
  return { problems: problems.map(explain), more: 0 };
}

function renderEnd(outcome: StoryRun['outcome'], sentence: string | null, answer: string | null): Html {
  const isFailed = outcome === 'failed';
  // A run that failed before it published says the same in both.
  if (isFailed && answer === sentence) return html`<p class="problem">${sentence}</p>`;
  return html`${answer !== null && html`<div class="prose">${renderMarkdown(answer)}</div>`}
${(isFailed || answer === null) && sentence && html`<p class="${isFailed ? 'problem' : 'text'}">${sentence}</p>`}`;
}
