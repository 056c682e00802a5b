import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LeaseLost, Parked, Refusal } from '../errors.ts';
import type { Budget } from './budget.ts';
import { finishTool } from './finish.ts';
import { storableText } from './journal.ts';
import type { ModelAnswer, ToolCall, Turn } from './model/model.ts';
import { type Tool, type ToolResult, toolError } from './tool.ts';
import { untilAborted } from './until-aborted.ts';

/** Of all results of one answer together, some 100,000 tokens. More would fill the conversation in one turn, and our memory. */
const maxOutputCharacters = 400_000;

/** Calls in one answer. An answer may hold hundreds of thousands; no model means more than these. */
const maxCalls = 100;

/**
 * Runs the tool calls of one answer, one after the other, and returns one result per call in the order of the calls. A finish call runs
 * last, wherever it stands: it ends a turn whose other calls are done, and is told which of them failed. A call gets an error result when a
 * limit forbids or interrupts it, when the results before it fill up the turn, and after the first hundred. Throws the signal's reason when
 * aborted, and what a tool throws.
 */
export async function answerCalls({
  answer,
  tools,
  budget,
  signal,
}: {
  answer: ModelAnswer;
  tools: readonly Tool[];
  budget: Budget;
  signal: AbortSignal;
}): Promise<NonNullable<Turn['results']>> {
  const cutCall = answer.stop === 'length' ? answer.toolCalls.at(-1) : undefined;
  const results = new Map<ToolCall, ToolResult>();
  const failed = new Set<string>();
  let characters = 0;
  for (const call of finishLast(answer.toolCalls)) {
    const forbidden =
      (call === cutCall && cutOff(call)) ||
      (characters > maxOutputCharacters && tooMuch) ||
      (results.size >= maxCalls && tooMany);
    const result = forbidden || (await answerCall({ call, tools, budget, signal, failed }));
    characters += result.output.length;
    results.set(call, result);
    if (result.isError && call.name !== finishTool.name) failed.add(call.name);
  }
  return answer.toolCalls.map((call) => {
    const { output, isError } = results.get(call) ?? toolError('not run');
    return { callId: call.callId, output: storableText(output), isError };
  });
}

async function answerCall({
  call,
  tools,
  budget,
  signal,
  failed,
}: {
  call: ToolCall;
  tools: readonly Tool[];
  budget: Budget;
  signal: AbortSignal;
  failed: ReadonlySet<string>;
}): Promise<ToolResult> {
  // Tools that never wait would hold up timers and the network until the last of them is done: the lease, an abort, the probes.
  await yieldToEventLoop();
  signal.throwIfAborted();
  const limit = budget.beforeTool();
  if (limit !== undefined) {
    return toolError(`not run: the limit of ${limit.limit} was reached`);
  }
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    return toolError(`there is no tool ${call.name}; the tools are ${tools.map(({ name }) => name).join(', ')}`);
  }
  const either = AbortSignal.any([signal, budget.signal]);
  try {
    return await untilAborted(tool.call(call.arguments, either, failed), either);
  } catch (error) {
    signal.throwIfAborted();
    if (budget.signal.aborted) {
      return toolError('stopped: the limit of seconds was reached');
    }
    if (error instanceof Refusal || error instanceof Parked || error instanceof LeaseLost) {
      throw error;
    }
    throw new Error(`could not run tool ${call.name}`, { cause: error });
  }
}

const finishLast = (calls: readonly ToolCall[]) =>
  calls.toSorted((a, b) => Number(a.name === finishTool.name) - Number(b.name === finishTool.name));

const tooMuch = toolError(
  'not run: the calls before it have shown as much as one answer may ask for; look at that first, then ask for the rest',
);

const tooMany = toolError(
  `not run: one answer may make ${maxCalls} calls; look at their results, then ask for the rest`,
);

const cutOff = (call: ToolCall) =>
  toolError(`your call of ${call.name} was cut off by the output limit and not run; make smaller steps`);
