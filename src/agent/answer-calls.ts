import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LeaseLost, Parked, Refusal } from '../errors.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Budget } from './budget.ts';
import { finishTool } from './finish.ts';
import { storableText } from './journal.ts';
import type { ModelAnswer, ToolCall, Turn } from './model/model.ts';
import { type Tool, ToolFailure, type ToolResult, toolError } from './tool.ts';

/** For all results of one answer together. */
const maxOutputCharacters = 400_000;
/** Together about half of the model's window: with their answer and the first input, they must fit. */
const maxOutputPerToken = 2;

const maxCalls = 100;

/** Returns one result per call, in order. A finish call runs last and knows which calls failed. Throws the signal's reason. */
export async function answerCalls(options: {
  answer: ModelAnswer;
  tools: readonly Tool[];
  earlierTools: readonly Tool[];
  budget: Budget;
  contextTokens: number;
  signal: AbortSignal;
}): Promise<NonNullable<Turn['results']>> {
  const { answer, tools, earlierTools, budget, contextTokens, signal } = options;
  const cutCall = answer.stop === 'length' ? answer.toolCalls.at(-1) : undefined;
  const results = new Map<ToolCall, ToolResult>();
  const failed = new Set<string>();
  const maxCharacters = Math.min(maxOutputCharacters, maxOutputPerToken * contextTokens);
  let characters = 0;
  for (const call of finishLast(answer.toolCalls)) {
    const forbidden =
      (call === cutCall && describeCutCall(call)) ||
      (characters > maxCharacters && tooMuchOutput) ||
      (results.size >= maxCalls && tooManyCalls);
    const result = forbidden || (await answerCall(call));
    characters += result.output.length;
    results.set(call, result);
    if (result.isError && call.name !== finishTool.name) failed.add(call.name);
  }
  return answer.toolCalls.map((call) => {
    const { output, isError } = results.get(call) ?? toolError('not run');
    return { callId: call.callId, output: storableText(output), isError };
  });

  async function answerCall(call: ToolCall): Promise<ToolResult> {
    // Synchronous tools would otherwise block timers and the network until the last call: lease renewal, aborts, probes.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const limit = budget.beforeTool();
    if (limit !== undefined) return toolError(`not run: the limit of ${limit.limit} was reached`);
    const tool = [...tools, ...earlierTools].find((candidate) => candidate.name === call.name);
    if (tool === undefined)
      return toolError(`there is no tool ${call.name}; the tools are ${tools.map(({ name }) => name).join(', ')}`);
    const toolSignal = AbortSignal.any([signal, budget.signal]);
    try {
      return await untilAborted(tool.call(call.arguments, toolSignal, failed), toolSignal);
    } catch (error) {
      signal.throwIfAborted();
      if (budget.signal.aborted) return toolError('stopped: the limit of seconds was reached');
      if (error instanceof Refusal || error instanceof Parked || error instanceof LeaseLost) throw error;
      throw new ToolFailure(call.name, error);
    }
  }
}

const finishLast = (calls: readonly ToolCall[]) =>
  calls.toSorted((a, b) => Number(a.name === finishTool.name) - Number(b.name === finishTool.name));

const tooMuchOutput = toolError(
  'not run: the earlier calls in this answer already returned the most output that one answer may; read it, then repeat this call',
);

const tooManyCalls = toolError(
  `not run: one answer may make ${maxCalls} calls; read their results, then repeat this call`,
);

const describeCutCall = (call: ToolCall) =>
  toolError(`not run: the output limit cut off your call of ${call.name}; make smaller steps`);
