import { z } from 'zod';
import { finishTool } from '../finish.ts';
import { storableText } from '../journal.ts';
import { rewriteStrings } from '../json.ts';
import type { ToolCall, Turn } from '../model/model.ts';
import { packItems, unpackItems } from '../model/request-body.ts';

/** `results`: of tools. `arguments`: long texts in the calls of tools, such as the content of a new file. */
export type Cut = 'results' | 'arguments';

/**
 * Returns the turn without the parts that `cut` names, or the same object if that saves nothing. The inputs, the texts of the model and the call of
 * finish with its result stay: the loop counts objections by them.
 */
export function compactTurn(turn: Turn, cut: Cut): Turn {
  const { answer, results } = turn;
  if (answer === null || results === null) return turn;
  return cut === 'results' ? compactResults(turn, answer.toolCalls, results) : compactArguments(turn, answer);
}

function compactResults(turn: Turn, calls: readonly ToolCall[], results: NonNullable<Turn['results']>): Turn {
  const compacted = results.map((result, index) => {
    const call = calls[index];
    if (call === undefined || call.name === finishTool.name) return result;
    const line = describeRemoved(call, result);
    return line.length + leastSaving > result.output.length ? result : { ...result, output: line };
  });
  return compacted.some((result, index) => result !== results[index]) ? { ...turn, results: compacted } : turn;
}

function compactArguments(turn: Turn, answer: NonNullable<Turn['answer']>): Turn {
  const shortened = new Map<string, string>();
  for (const { callId, name, arguments: text } of answer.toolCalls) {
    const short = name === finishTool.name ? text : shortenStrings(text);
    if (short.length + leastSaving <= text.length) shortened.set(callId, short);
  }
  if (shortened.size === 0) return turn;
  const toolCalls = answer.toolCalls.map((call) => ({
    ...call,
    arguments: shortened.get(call.callId) ?? call.arguments,
  }));
  return { ...turn, answer: { ...answer, toolCalls, items: replaceArguments(answer.items, shortened) } };
}

/** In characters. A line that is hardly shorter than the text it replaces would only break the provider's cache. */
const leastSaving = 40;
const maxShownArguments = 80;
const maxKeptString = 200;

/** "Read again" rather than "call again": many calls change files. */
function describeRemoved(
  { name, arguments: text }: ToolCall,
  { output, isError }: { output: string; isError: boolean },
) {
  const shown = text.replace(/\s+/g, ' ');
  const short = shown.length > maxShownArguments ? `${shown.slice(0, maxShownArguments)}...` : shown;
  const size = `${isError ? 'failed, ' : ''}${count(output)}`;
  return storableText(`(removed to make room: ${name} ${short}: ${size}; read again what you still need)`);
}

/** Keeps the JSON valid: some servers parse the arguments of earlier calls. */
const shortenStrings = (text: string): string =>
  rewriteStrings(text, (value) => (value.length > maxKeptString ? `(removed to make room: ${count(value)})` : value));

const count = (text: string) => `${text.length.toLocaleString('en')} characters`;

/**
 * Replaces the arguments of calls, by call id, in the provider's items of either API. All else of the items stays as it is, because a call
 * is only accepted with its reasoning item or signature.
 */
const replaceArguments = (items: readonly unknown[], replacements: ReadonlyMap<string, string>): unknown[] =>
  packItems(unpackItems(items).map((item) => replaceInItem(item, replacements)));

/** Keeps the order of keys, as `z.looseObject` does not. */
const anyObject = z.record(z.string(), z.unknown());
const functionCall = z.object({ type: z.literal('function_call'), call_id: z.string() });
const chatMessage = z.object({ role: z.literal('assistant'), tool_calls: z.array(anyObject) });
const chatCall = z.object({ id: z.string(), function: anyObject });

function replaceInItem(item: unknown, replacements: ReadonlyMap<string, string>): unknown {
  const fields = anyObject.safeParse(item).data;
  const call = functionCall.safeParse(item).data;
  if (call) return withArguments(fields, replacements.get(call.call_id));
  const message = chatMessage.safeParse(item).data;
  if (!message) return item;
  return {
    ...fields,
    tool_calls: message.tool_calls.map((callFields) => {
      const { data } = chatCall.safeParse(callFields);
      return data ? { ...callFields, function: withArguments(data.function, replacements.get(data.id)) } : callFields;
    }),
  };
}

const withArguments = (fields: Record<string, unknown> | undefined, text: string | undefined) =>
  text === undefined ? fields : { ...fields, arguments: text };
