import { z } from 'zod';
import type { ShownCall, ShownTurn } from '../../../lists/list-turns.ts';
import { type Html, html } from '../../pages/html.ts';
import { type IconName, icon } from '../frame/icon.ts';
import { renderMarkdown } from '../frame/render-markdown.ts';

/** Texts of the model, and its tool calls, folded. A fold has the same id in each version of a page. A turn that only began shows nothing. */
export const renderTurns = (turns: readonly ShownTurn[], runId: string): Html =>
  html`<ol class="calls" id="${runId}-turns">${turns.map(
    ({ index, text, calls }) =>
      (text || calls.length > 0) &&
      html`<li id="${runId}-${index}">${text && html`<div class="prose">${renderMarkdown(text)}</div>`}
${calls.map((call, place) => renderCall(call, `${runId}-${index}-${place}`))}</li>`,
  )}</ol>`;

const renderCall = ({ name, arguments: argumentsText, result, isError }: ShownCall, id: string): Html =>
  html`<details class="call fold" id="${id}"><summary>${icon(signs.get(name) ?? 'terminal')}<code>${name}</code> <span class="muted">${describeArguments(argumentsText)}</span>${isError && html` <span class="tag bad">error</span>`}</summary>
<pre tabindex="0" aria-label="Arguments">${formatArguments(argumentsText)}</pre>
${result !== null && html`<pre tabindex="0" aria-label="Result">${result}</pre>`}</details>`;

const signs = new Map<string, IconName>([
  ['read_file', 'file'],
  ['outline', 'file'],
  ['list_files', 'list'],
  ['search', 'search'],
  ['find_references', 'search'],
  ['write_file', 'pencil'],
  ['edit_file', 'pencil'],
  ['insert_text', 'pencil'],
  ['replace_text', 'pencil'],
  ['move_file', 'arrow'],
  ['delete_file', 'cross'],
  ['check', 'shield'],
  ['finish', 'check'],
]);

/** Each argument by its name, and a text in its own lines. What was cut is no JSON any more, and is shown as it is. */
export function formatArguments(argumentsText: string): string {
  const lines = Object.entries(parseArguments(argumentsText)).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
  });
  return lines.join('\n') || argumentsText;
}

const argumentsShape = z.record(z.string(), z.unknown()).catch({});

function parseArguments(argumentsText: string): Record<string, unknown> {
  try {
    return argumentsShape.parse(JSON.parse(argumentsText));
  } catch {
    return {};
  }
}

/** The first short value, mostly a path. */
function describeArguments(argumentsText: string): string {
  const [, value = ''] = /:\s*"((?:[^"\\]|\\.){1,80})"/.exec(argumentsText) ?? [];
  return value;
}
