import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import { toDataUrl } from './images.ts';
import { isObjectText } from './join/join-arguments.ts';
import type { ModelAnswer, ModelRequest, Turn, TurnImage } from './model.ts';
import { noAnswer, packItems, unpackItems } from './request-body.ts';

/** `system` is the only role that every server supports. */
export const toSystemMessage = (instructions: string): ChatCompletionMessageParam => ({
  role: 'system',
  content: instructions,
});

/** Append-only: longer conversations start with exactly the messages of shorter ones. */
export const toChatMessages = ({ inputs, images = [], answer, results }: Turn): object[] => [
  ...(inputs.length > 0 ? [{ role: 'user' as const, content: toChatContent(inputs.join('\n\n'), images) }] : []),
  ...(answer === null ? [] : toAnswerMessages(answer)),
  ...(results ?? []).map(({ callId, output }) => ({ role: 'tool' as const, tool_call_id: callId, content: output })),
];

/** A text alone stays a text: some servers accept no parts. */
const toChatContent = (text: string, images: readonly TurnImage[]) =>
  images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map((image) => ({ type: 'image_url', image_url: { url: toDataUrl(image) } }))];

export const toChatTools = (tools: ModelRequest['tools']): ChatCompletionFunctionTool[] =>
  tools.map((tool) => ({ type: 'function', function: tool }));

function toAnswerMessages(answer: ModelAnswer): object[] {
  const items = unpackItems(answer.items);
  return items.length > 0 && items.every(isAssistantMessage)
    ? items
    : [
        createAssistantMessage({
          content: answer.text,
          calls: answer.toolCalls.map((call) => ({ ...call, extra: {} })),
        }),
      ];
}

const assistantMessage = z.looseObject({ role: z.literal('assistant') });
const isAssistantMessage = (item: unknown): item is object => assistantMessage.safeParse(item).success;

/** `extra` are provider-specific fields, such as Gemini's thought signature. */
export type ChatCall = ModelAnswer['toolCalls'][number] & { extra: Record<string, unknown> };

/**
 * `content` is a text, or the parts that the server sent. `extra` are all fields that only the server understands, such as its thoughts: some
 * models refuse an answer that comes back without them. https://api-docs.deepseek.com/guides/thinking_mode
 */
interface AssistantMessage {
  content: string | unknown[];
  calls: ChatCall[];
  extra?: Record<string, unknown>;
}

export const toChatItems = (message: AssistantMessage): string[] => packItems([createAssistantMessage(message)]);

function createAssistantMessage({ content, calls, extra = {} }: AssistantMessage): object {
  const given = content.length === 0 ? (calls.length === 0 ? noAnswer : null) : content;
  const message = { ...extra, role: 'assistant', content: given };
  if (calls.length === 0) return message;
  return {
    ...message,
    tool_calls: calls.map((call) => ({
      ...call.extra,
      id: call.callId,
      type: 'function',
      function: { name: call.name, arguments: toSendableArguments(call.arguments) },
    })),
  };
}

/** Some servers parse the arguments and answer 400 or 500 to broken JSON. */
function toSendableArguments(text: string): string {
  if (isObjectText(text)) return text;
  return text.trim() === '' ? '{}' : JSON.stringify({ not_an_object: text });
}
