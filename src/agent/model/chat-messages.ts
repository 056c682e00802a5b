import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { ModelAnswer, ModelRequest, Turn } from './model.ts';
import { noAnswer, packItems, unpackItems } from './request-body.ts';

/** `system` is the only role that every server supports. */
export const toSystemMessage = (instructions: string): ChatCompletionMessageParam => ({
  role: 'system',
  content: instructions,
});

/** Append-only: longer conversations start with exactly the messages of shorter ones. */
export const toChatMessages = ({ inputs, answer, results }: Turn): ChatCompletionMessageParam[] => [
  ...(inputs.length > 0 ? [{ role: 'user' as const, content: inputs.join('\n\n') }] : []),
  ...(answer === null ? [] : toAnswerMessages(answer)),
  ...(results ?? []).map(({ callId, output }) => ({ role: 'tool' as const, tool_call_id: callId, content: output })),
];

export const toChatTools = (tools: ModelRequest['tools']): ChatCompletionFunctionTool[] =>
  tools.map((tool) => ({ type: 'function', function: tool }));

function toAnswerMessages(answer: ModelAnswer): ChatCompletionMessageParam[] {
  const items = unpackItems(answer.items);
  return items.length > 0 && items.every(isAssistantMessage)
    ? items
    : [createAssistantMessage({ text: answer.text, calls: answer.toolCalls.map((call) => ({ ...call, extra: {} })) })];
}

const assistantMessage = z.looseObject({ role: z.literal('assistant') });
const isAssistantMessage = (item: unknown): item is ChatCompletionMessageParam =>
  assistantMessage.safeParse(item).success;

/** `extra` are provider-specific fields, such as Gemini's thought signature. */
export type ChatCall = ModelAnswer['toolCalls'][number] & { extra: Record<string, unknown> };

export const toChatItems = (answer: { text: string; calls: ChatCall[]; reasoning: string }): string[] =>
  packItems([createAssistantMessage(answer)]);

function createAssistantMessage({
  text,
  calls,
  reasoning = '',
}: {
  text: string;
  calls: ChatCall[];
  reasoning?: string;
}) {
  // Some servers with reasoning models answer 400 when the reasoning is missing; all ignore reasoning that they do not need:
  // https://api-docs.deepseek.com/guides/thinking_mode
  const thoughts = reasoning === '' ? {} : { reasoning_content: reasoning };
  if (calls.length === 0) {
    return { role: 'assistant' as const, content: text === '' ? noAnswer : text, ...thoughts };
  }
  return {
    role: 'assistant' as const,
    content: text === '' ? null : text,
    ...thoughts,
    tool_calls: calls.map((call) => ({
      ...call.extra,
      id: call.callId,
      type: 'function' as const,
      function: { name: call.name, arguments: toSendableArguments(call.arguments) },
    })),
  };
}

/** Some servers parse the arguments and answer 400 or 500 to broken JSON. */
function toSendableArguments(text: string): string {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).success ? text : wrapBroken(text);
  } catch {
    return text.trim() === '' ? '{}' : wrapBroken(text);
  }
}

const wrapBroken = (text: string) => JSON.stringify({ not_an_object: text });
