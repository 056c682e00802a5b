import type { ShownCall, ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import type { Prose } from '../story/render-markdown.ts';
import { type SendItem, sendWhole } from '../story/send-item.ts';
import { describeSteps, parseArguments, type Step } from './describe-steps.ts';

/** Texts of the model, and what it did, with the details folded. A fold has the same id in each version of a page. A turn that only began shows nothing. */
export const renderTurns = (
  turns: readonly ShownTurn[],
  runId: string,
  { prose, send = sendWhole }: { prose: Prose; send?: SendItem },
): Html =>
  html`<ol class="calls" id="${runId}-turns">${turns.map(
    ({ index, text, calls }) =>
      (text || calls.length > 0) &&
      send(
        `${runId}-${index}`,
        html`<li id="${runId}-${index}">${text && html`<div class="prose">${prose(text)}</div>`}
${calls.map((call, place) => renderCall(call, `${runId}-${index}-${place}`))}</li>`,
      ),
  )}</ol>`;

function renderCall(call: ShownCall, id: string): Html {
  const { name, arguments: argumentsText, result } = call;
  return html`<details class="call fold" id="${id}"><summary>${describeSteps([call]).map(renderStep)}</summary>
<p class="hint">Tool <code>${name}</code></p>
<pre tabindex="0" aria-label="Arguments">${formatArguments(argumentsText)}</pre>
${result !== null && html`<pre tabindex="0" aria-label="Result">${result}</pre>`}</details>`;
}

/** Each argument by its name, and a text in its own lines. What was cut is no JSON any more, and is shown as it is. */
export function formatArguments(argumentsText: string): string {
  const lines = Object.entries(parseArguments(argumentsText)).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
  });
  return lines.join('\n') || argumentsText;
}

/** A remark of the agent, and what it did then. */
interface Passage {
  index: number;
  text: string | null;
  calls: ShownTurn['calls'];
}

/** Turns without a remark go on with the passage before them. */
function groupTurns(turns: readonly ShownTurn[]): Passage[] {
  const passages: Passage[] = [];
  for (const { index, text, calls } of turns) {
    const last = passages.at(-1);
    if (text || last === undefined) passages.push({ index, text, calls: [...calls] });
    else last.calls.push(...calls);
  }
  return passages.filter(({ text, calls }) => text || calls.length > 0);
}

const mostNames = 3;

/** The turns of a run in words: no tool, argument or result is named. */
export const renderSteps = (
  turns: readonly ShownTurn[],
  runId: string,
  { prose, send }: { prose: Prose; send: SendItem },
): Html =>
  html`<ol class="steps-done" id="${runId}-steps-done">${groupTurns(turns).map(({ index, text, calls }) =>
    send(
      `${runId}-step-${index}`,
      html`<li id="${runId}-step-${index}">${text && html`<div class="prose">${prose(text)}</div>`}
${calls.length > 0 && html`<ul class="deeds">${describeSteps(calls).map((step) => html`<li>${renderStep(step)}</li>`)}</ul>`}</li>`,
    ),
  )}</ol>`;

const renderStep = ({ sign, text, names, isError }: Step): Html =>
  html`${icon(sign)}<span>${text}${names.length > 0 && html` <span class="muted">${names.slice(0, mostNames).join(', ')}${names.length > mostNames && ' …'}</span>`}${isError && html` <span class="tag">did not work</span>`}</span>`;
