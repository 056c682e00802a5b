import type { ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import type { Prose } from '../story/render-markdown.ts';
import type { SendItem } from '../story/send-item.ts';
import { describeSteps, type Step } from './describe-steps.ts';

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

export const renderStep = ({ sign, text, names, isError }: Step): Html =>
  html`${icon(sign)}<span>${text}${names.length > 0 && html` <span class="muted">${names.slice(0, mostNames).join(', ')}${names.length > mostNames && ' …'}</span>`}${isError && html` <span class="tag">did not work</span>`}</span>`;
