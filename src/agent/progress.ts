import { Refusal } from '../errors.ts';
import { isFields, parseJson } from './json.ts';
import type { Turn } from './model/model.ts';
import { writtenCallMarks } from './model/quirks.ts';

/** Depends on the stored turns alone, so that every worker of a run comes to the same result. */
type Progress = { kind: 'moving' } | { kind: 'nudge'; text: string } | { kind: 'given_up'; reason: NoProgressReason };

/**
 * `empty_answers`: two empty or cut off answers in a row. `written_calls`: two answers in a row with a tool call in their text.
 * `repeated_steps`: the same calls with the same results.
 */
export type NoProgressReason = 'empty_answers' | 'written_calls' | 'repeated_steps';

export class NoProgress extends Refusal {
  override readonly name = 'NoProgress';
  readonly reason: NoProgressReason;

  constructor(reason: NoProgressReason) {
    super(`the model makes no progress: ${reason}`);
    this.reason = reason;
  }
}

export const emptyNudge =
  'Your last answer was cut off, or had neither text nor a tool call. Continue in smaller steps, and call finish when everything is done.';
export const writtenCallNudge =
  'Your last answer has a tool call in its text. Nothing ran: text is not executed. Call the tool through the API, as a tool call of your answer. To end without changes, call finish.';
export const stuckNudge =
  'You repeat the same tool calls and get the same results. Try something else, or call finish and say what blocks you.';

/** Nudges first, then gives up, by the patterns of OpenHands: https://docs.openhands.dev/sdk/guides/agent-stuck-detector */
export function evaluateProgress(turns: readonly Turn[], toolNames: readonly string[] = []): Progress {
  const last = turns.at(-1);
  if (last !== undefined && isEmptyAnswer(last)) {
    return last.inputs.includes(emptyNudge)
      ? { kind: 'given_up', reason: 'empty_answers' }
      : { kind: 'nudge', text: emptyNudge };
  }
  if (last !== undefined && isWrittenCall(last, toolNames)) {
    return last.inputs.includes(writtenCallNudge)
      ? { kind: 'given_up', reason: 'written_calls' }
      : { kind: 'nudge', text: writtenCallNudge };
  }
  const nudgedAt = turns.findLastIndex((turn) => turn.inputs.includes(stuckNudge));
  if (!isRepeating(turns.slice(Math.max(0, nudgedAt)))) return { kind: 'moving' };
  return nudgedAt >= 0 ? { kind: 'given_up', reason: 'repeated_steps' } : { kind: 'nudge', text: stuckNudge };
}

const isEmptyAnswer = ({ answer }: Turn) =>
  answer !== null && answer.toolCalls.length === 0 && (answer.stop === 'length' || answer.text.trim() === '');

function isRepeating(turns: readonly Turn[]): boolean {
  const latest = turns.slice(-6).map(describeTurn);
  const isSame = (from: number, distance: number) =>
    latest.slice(from).every((turn, index, all) => turn !== '' && (index < distance || turn === all[index - distance]));
  return (latest.length >= 4 && isSame(-4, 1)) || (latest.length === 6 && isSame(-6, 2));
}

/** The calls and results of a turn without their ids; empty for a turn without calls. */
const describeTurn = ({ answer, results }: Turn) =>
  answer === null || answer.toolCalls.length === 0
    ? ''
    : JSON.stringify([
        answer.toolCalls.map((call) => [call.name, call.arguments]),
        results?.map((result) => [result.output, result.isError]),
      ]);

const longestCall = 20_000;

/**
 * Whether an answer without calls has one in its text: its server did not recognize it, and nothing ran. `toolNames`: what the model was
 * offered, because a page about models may show any of the marks.
 */
export function isWrittenCall({ answer }: Turn, toolNames: readonly string[]): boolean {
  if (answer === null || answer.toolCalls.length > 0) return false;
  const { text } = answer;
  const isNamed = (part: string) => toolNames.some((name) => part.includes(name));
  const isMarked = writtenCallMarks.some((mark) => {
    const at = text.indexOf(mark);
    return at >= 0 && text[at - 1] !== '`' && isNamed(text.slice(at, at + longestCall));
  });
  return isMarked || listObjects(text).some((object) => toolNames.includes(readName(object) ?? ''));
}

/** The whole text, and its fenced blocks. */
function listObjects(text: string): unknown[] {
  return [text, ...text.split('```').filter((_, index) => index % 2 === 1)].flatMap((part) => {
    const begin = part.indexOf('{');
    const head = part.slice(0, Math.max(0, begin)).trim();
    // Before the object stands at most the language of the block, or the bracket of a list.
    if (begin < 0 || !/^(?:json|tool_code|tool_call)?\s*\[?$/.test(head)) return [];
    const value = parseJson(part.trim().replace(/^(?:json|tool_code|tool_call)\b/, ''));
    return Array.isArray(value) ? value : [value];
  });
}

/** `{"name", "arguments"}`, `{"name", "parameters"}`, `{"function": {…}}`, `{"tool_calls": […]}`. */
function readName(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  const { name, arguments: given, parameters, function: called, tool_calls: calls } = value;
  if (Array.isArray(calls)) return readName(calls[0]);
  if (isFields(called)) return readName({ arguments: {}, ...called });
  return typeof name === 'string' && (given ?? parameters) !== undefined ? name : undefined;
}
