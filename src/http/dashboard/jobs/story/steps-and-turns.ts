import { z } from 'zod';
import { countOfLinks, type ShownCall, type ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import { type Html, html } from '../../../pages/html.ts';
import { type IconName, icon } from '../../frame/elements.ts';
import type { Prose } from './render-markdown.ts';
import { type SendItem, sendWhole } from './send-item.ts';

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

/** What the agent did, in the words of a person who writes. */
interface Step {
  sign: IconName;
  /** `Read 4 pages`. */
  text: string;
  /** Files, or what was searched for. */
  names: string[];
  isError: boolean;
}

interface Kind {
  sign: IconName;
  /** While it is done: `Reading`. */
  now: string;
  done: string;
  /** Names several of them: `pages`. Undefined: they are not counted. */
  many?: string;
  /** Where the tool refused, and the run went on. */
  refused?: string;
}

const reading: Kind = { sign: 'file', now: 'Reading', done: 'Read', many: 'pages' };
const searching: Kind = { sign: 'search', now: 'Searching for', done: 'Searched for', many: 'phrases' };
const editing: Kind = { sign: 'pencil', now: 'Editing', done: 'Edited', many: 'pages' };
const checking: Kind = { sign: 'shield', now: 'Checking links and pages', done: 'Checked links and pages' };

/** A name that the model invented is no member of an object. */
const kinds = new Map<string, Kind>([
  ['read_file', reading],
  ['outline', reading],
  ['list_files', { sign: 'list', now: 'Looking through the files', done: 'Looked through the files' }],
  ['search', searching],
  ['find_references', { sign: 'search', now: 'Looking for links to', done: 'Looked for links to', many: 'pages' }],
  ['write_file', { sign: 'pencil', now: 'Writing', done: 'Wrote', many: 'pages' }],
  ['edit_file', editing],
  ['insert_text', editing],
  ['replace_text', editing],
  ['move_file', { sign: 'arrow', now: 'Moving', done: 'Moved', many: 'pages' }],
  ['move_section', { sign: 'arrow', now: 'Moving a section of', done: 'Moved sections of', many: 'pages' }],
  ['delete_file', { sign: 'cross', now: 'Deleting', done: 'Deleted', many: 'pages' }],
  ['check', checking],
  [
    'finish',
    {
      sign: 'check',
      now: 'Finishing, and checking the change',
      done: 'Finished, and had the change checked',
      refused: 'Had the change checked, and was asked to go on',
    },
  ],
]);
const other: Kind = { sign: 'terminal', now: 'Using a tool', done: 'Used a tool' };

const kindOf = ({ name }: ShownCall): Kind => kinds.get(name) ?? other;

/** The calls of turns as steps: those of the same kind that follow each other are one. */
export function describeSteps(calls: readonly ShownCall[]): Step[] {
  const groups: { kind: Kind; calls: ShownCall[] }[] = [];
  for (const call of calls) {
    const kind = kindOf(call);
    const last = groups.at(-1);
    if (last?.kind === kind) last.calls.push(call);
    else groups.push({ kind, calls: [call] });
  }
  return groups.map((group) => describeGroup(group));
}

function describeGroup({ kind, calls }: { kind: Kind; calls: ShownCall[] }): Step {
  const isRefused = calls.every((call) => call.isError);
  const isDone = calls.every(({ result }) => result !== null);
  const names = [...new Set(calls.map(nameTarget).filter((name) => name !== ''))];
  if (isRefused && kind.refused !== undefined)
    return { sign: 'message', text: kind.refused, names: [], isError: false };
  const links = kind === checking ? countOfLinks.exec(calls.at(-1)?.result ?? '')?.[1] : undefined;
  const verb = isDone ? kind.done : kind.now;
  const counts = names.length > 1 && kind.many !== undefined;
  const text = counts ? `${verb} ${names.length} ${kind.many}` : verb;
  return {
    sign: kind.sign,
    text: links === undefined ? text : `Checked ${links} ${links === '1' ? 'link' : 'links'}`,
    names: kind.many === undefined ? [] : names,
    isError: isRefused,
  };
}

/** What the agent does now, or did last, in the middle of a sentence: `editing limits.md`. */
export function describeNow(turns: readonly ShownTurn[]): string {
  const { calls } = turns.findLast((turn) => turn.calls.length > 0) ?? { calls: [] };
  const call = calls.find(({ result }) => result === null) ?? calls.at(-1);
  if (!call) return turns.length === 0 ? 'starting' : 'thinking';
  const { text, names } = describeGroup({ kind: kindOf(call), calls: [call] });
  const deed = [`${text[0]?.toLowerCase()}${text.slice(1)}`, ...names].join(' ');
  return call.result === null ? deed : `${deed}, now thinking`;
}

const argumentsShape = z.record(z.string(), z.unknown()).catch({});

/** Empty for what was cut, which is no JSON any more. */
function parseArguments(argumentsText: string): Record<string, unknown> {
  try {
    return argumentsShape.parse(JSON.parse(argumentsText));
  } catch {
    return {};
  }
}

const mostShown = 80;

/** In arguments that were cut. */
const findNamed = /"(?:pattern|path|from)":\s*"([^"\\]{1,80})"/;

/** What a call is about: a file, or a phrase. */
function nameTarget({ arguments: argumentsText }: ShownCall): string {
  const parsed = parseArguments(argumentsText);
  const named = ['pattern', 'path', 'from'].map((name) => parsed[name]);
  const found = named.find((value) => typeof value === 'string') ?? findNamed.exec(argumentsText)?.[1] ?? '';
  const [line = ''] = String(found).split('\n', 1);
  return line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
}
