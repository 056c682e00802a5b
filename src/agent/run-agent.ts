import { untilAborted } from '../until-aborted.ts';
import { answerCalls } from './answer-calls.ts';
import type { Budget, RunLimitReached } from './budget.ts';
import { askWithinWindow, type OnCompacted } from './compaction/ask-within-window.ts';
import {
  createCheckedFinish,
  type FindProblems,
  type Finish,
  findObjection,
  finishTool,
  type IsMessage,
  parseFinish,
} from './finish.ts';
import type { Journal } from './journal.ts';
import { rewriteStrings } from './json.ts';
import type { Model, ModelAnswer, Turn } from './model/model.ts';
import { thoughtTag } from './model/quirks.ts';
import { evaluateProgress, isWrittenCall, NoProgress } from './progress.ts';
import type { Tool } from './tool.ts';

export type AgentEnd = Finished | RunLimitReached;

export type Finished = { kind: 'finished'; replies: NonNullable<Finish['replies']> } & Omit<Finish, 'replies'>;

/**
 * Lets a model work with `tools` until it calls finish, answers with text only (its summary), or reaches a limit. Resumes from the turns of
 * the journal; a finished run returns its end again without a request, unless `opening` has texts for the next turn.
 *
 * When `signal` aborts, tools end and no step begins. A running model request continues until `grace` aborts (default: `signal`), and its
 * answer is stored. Throws the signal's reason, the errors of model and journal, `NoProgress`, and an `Error` when a tool fails.
 */
export async function runAgent(options: {
  model: Model;
  tools: readonly Tool[];
  /** Tools that no request offers. They answer a model that has called them before. */
  earlierTools?: readonly Tool[];
  instructions: string;
  cacheKey: string;
  budget: Budget;
  journal: Journal;
  opening: string[];
  /** The model's window. The conversation is compacted to stay within it. */
  contextTokens: number;
  onCompacted?: OnCompacted;
  /** Called when the model finishes: its problems are sent back to the model, a bounded number of times. */
  findProblems?: FindProblems;
  /** The number of times counts from the last message. */
  isMessage?: IsMessage;
  /** Arguments of finish that this run has no use for. */
  unneeded?: readonly (keyof Finish)[];
  signal: AbortSignal;
  grace?: AbortSignal;
}): Promise<AgentEnd> {
  const { model, tools, instructions, cacheKey, budget, journal, opening, contextTokens, signal } = options;
  const { earlierTools = [], onCompacted = () => {}, findProblems = async () => [], isMessage = () => false } = options;
  const { unneeded = [], grace = signal } = options;
  const turns = journal.turns.map((turn) => ({ ...turn }));
  const check = { findProblems, turns, isMessage };
  const finish = createCheckedFinish(check, unneeded);
  const toolbox = [...tools.filter(({ name }) => name !== finishTool.name), finish];
  const toolNames = toolbox.map(({ name }) => name);
  const offered = toolbox.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const stopSignal = AbortSignal.any([signal, budget.signal]);
  const cutSignal = AbortSignal.any([grace, budget.signal]);
  let pending = opening;

  for (;;) {
    signal.throwIfAborted();
    const turn = turns.at(-1);
    if (turn === undefined || turn.results !== null) {
      const end = await endOrOpenTurn(turn);
      if (end) return end;
    } else if (turn.answer === null) {
      const limit = await askModel(turn);
      if (limit) return limit;
    } else {
      await callTools(turn, turn.answer);
    }
  }

  async function endOrOpenTurn(last: Turn | undefined): Promise<AgentEnd | undefined> {
    const end = last && !isWrittenCall(last, toolNames) ? findEnd(last) : undefined;
    // The finish tool raises its own objections; a text answer does not call it.
    const isByText = end !== undefined && last?.answer?.toolCalls.length === 0;
    const objection = isByText ? await findObjection(check, end, { signal }) : undefined;
    if (end && objection === undefined && pending.length === 0) return end;
    const nudges = end === undefined ? nudge(turns, toolNames) : objection === undefined ? [] : [objection];
    const limit = budget.beforeTurn();
    if (limit) return limit;
    const warnings = budget.warnings().filter((line) => !turns.some(({ inputs }) => inputs.includes(line)));
    const opened = await journal.openTurn(turns.length, [...pending, ...nudges, ...warnings]);
    budget.countTurn();
    turns.push({ ...opened, answer: null, results: null });
    pending = [];
    return undefined;
  }

  async function askModel(turn: Turn): Promise<RunLimitReached | undefined> {
    const limit = budget.beforeRequest();
    if (limit) return limit;
    try {
      const request = { instructions, turns, tools: offered, cacheKey };
      const ask = () => untilAborted(model.respond(request, stopSignal, cutSignal), cutSignal, 0);
      turn.answer = dropThoughts(await askWithinWindow(ask, { turns, journal, contextTokens, onCompacted }));
    } catch (error) {
      signal.throwIfAborted();
      // The next request is refused, with the limit that was reached.
      if (budget.signal.aborted) return undefined;
      throw error;
    }
    budget.countTokens(turn.answer.usage.tokensIn + turn.answer.usage.tokensOut);
    await journal.saveAnswer(turns.length - 1, turn.answer);
    return undefined;
  }

  async function callTools(turn: Turn, answer: ModelAnswer): Promise<void> {
    const results = await answerCalls({ answer, tools: toolbox, earlierTools, budget, contextTokens, signal });
    await journal.saveResults(turns.length - 1, results);
    turn.results = results;
  }
}

function nudge(turns: readonly Turn[], toolNames: readonly string[]): string[] {
  const progress = evaluateProgress(turns, toolNames);
  if (progress.kind === 'given_up') throw new NoProgress(progress.reason);
  return progress.kind === 'nudge' ? [progress.text] : [];
}

/** A turn ends the run by an accepted finish call, or by text without calls that was not cut off. */
function findEnd({ answer, results }: Turn): Finished | undefined {
  const accepted = answer?.toolCalls.find(
    ({ name }, index) => name === finishTool.name && results?.[index]?.isError === false,
  );
  if (accepted !== undefined) {
    const { replies = [], ...finish } = parseFinish(accepted.arguments);
    return { kind: 'finished', ...finish, replies };
  }
  const summary = answer?.toolCalls.length === 0 && answer.stop === 'end' ? answer.text.trim() : '';
  return summary === '' ? undefined : { kind: 'finished', summary, replies: [] };
}

/**
 * The answer without the thoughts that the model wrote into what people read: its text and its call of finish. They stay in the items for the
 * server. Everything that people see of an answer comes from here.
 */
export function dropThoughts(answer: ModelAnswer): ModelAnswer {
  const toolCalls = answer.toolCalls.map((call) =>
    call.name === finishTool.name ? { ...call, arguments: withoutThoughtsInJson(call.arguments) } : call,
  );
  return { ...answer, text: withoutThoughts(answer.text), toolCalls };
}

function withoutThoughtsInJson(text: string): string {
  const clean = rewriteStrings(text, withoutThoughts);
  return clean === rewriteStrings(text, (same) => same) ? text : clean;
}

/**
 * Drops blocks between tags, a block that nothing closes, and all before a closing tag that nothing opens, because some servers swallow the
 * first tag. A tag after a backtick is code. Linear.
 */
export function withoutThoughts(text: string): string {
  const tags = [...text.matchAll(thoughtTag)].filter(({ index }) => text[index - 1] !== '`');
  if (tags.length === 0) return text;
  const kept: string[] = [];
  let from = 0;
  let opened: number | undefined;
  let openedLine: number | undefined;
  for (const { 0: tag, index, groups } of tags) {
    if (groups?.opening) {
      opened ??= index;
      if (startsLine(text, from, index)) openedLine ??= index;
      continue;
    }
    kept.push(text.slice(from, opened ?? from));
    from = index + tag.length;
    [opened, openedLine] = [undefined, undefined];
  }
  // An opening tag that nothing closes begins a line. In the middle of a sentence it is a word.
  return [...kept, text.slice(from, openedLine)].join('').trim();
}

function startsLine(text: string, from: number, index: number): boolean {
  let before = index - 1;
  while (before >= from && (text[before] === ' ' || text[before] === '\t')) before -= 1;
  return before < from || text[before] === '\n';
}
