import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import { storableText } from '../journal.ts';
import { type Fields, isFields, isObjectText } from '../json.ts';
import { BrokenAnswer } from './errors.ts';
import { toDataUrl } from './images.ts';
import { type ChatCall, callDelta, createCalls, joinFields } from './join/join-calls.ts';
import type { AnswerReader, ModelAnswer, ModelRequest, Protocol, Turn, TurnImage } from './model.ts';
import { endOfReason } from './quirks.ts';
import { noAnswer, packItems, unpackItems } from './request-body.ts';
import { readUsage } from './usage.ts';

/** https://developers.openai.com/api/reference/resources/chat */
export const chatProtocol: Protocol = {
  path: '/chat/completions',
  list: 'messages',
  writeFields: ({ tools }, { model, reasoningEffort }) => ({
    model,
    stream: true,
    stream_options: { include_usage: true },
    tools: toChatTools(tools),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
  }),
  // The only role that every server supports.
  writeLead: ({ instructions }) => [{ role: 'system', content: instructions }],
  toItems: toChatMessages,
  createReader: createChatReader,
};

const message = z.looseObject({
  role: z.unknown().optional(),
  content: z.unknown().optional(),
  refusal: z.string().nullish().catch(null),
  tool_calls: z.array(callDelta).nullish(),
  // Some gateways still answer as the protocol did before it had tools.
  function_call: callDelta.shape.function,
});
const choice = z.object({
  index: z.number().nullish().catch(null),
  delta: message.nullish(),
  message: message.nullish(),
  finish_reason: z.string().nullish().catch(null),
  usage: z.unknown().optional(),
});
const chunk = z.object({
  choices: z.array(choice).nullish(),
  usage: z.unknown().optional(),
  // Groq's place.
  x_groq: z.object({ usage: z.unknown().optional() }).nullish().catch(null),
});

/** Reads deltas, and a whole message in place of them. */
export function createChatReader(): AnswerReader {
  let [text, refusal, reason] = ['', '', ''];
  let calls = createCalls();
  let usage: ModelAnswer['usage'] | null = null;
  let extra: Fields = {};
  /** Only where parts other than text came: they go back as they are. */
  let parts: Fields | undefined;

  function addDelta(delta: z.infer<typeof message>): void {
    const { role: _, content, refusal: refused, tool_calls: deltas, function_call: old, ...unknown } = delta;
    const isPlain = typeof content === 'string';
    if (parts) joinFields(parts, { content: isPlain && content !== '' ? [{ type: 'text', text: content }] : content });
    else if (Array.isArray(content) && content.some((part) => !isTextPart(part))) {
      parts = {};
      joinFields(parts, { content: [...(text === '' ? [] : [{ type: 'text', text }]), ...content] });
    }
    text += isPlain ? content : Array.isArray(content) ? content.map(readPart).join('') : '';
    refusal += refused ?? '';
    for (const call of deltas ?? []) calls.add(call);
    if (old) calls.add({ function: old });
    joinFields(extra, unknown);
  }

  /** Also after deltas: a whole message repeats them. */
  function addMessage({ tool_calls: whole, ...rest }: z.infer<typeof message>): void {
    [text, refusal, calls, extra, parts] = ['', '', createCalls(), {}, undefined];
    addDelta({ ...rest, tool_calls: whole?.map((call, index) => ({ ...call, index })) });
  }

  return {
    add(event) {
      const { data, error } = chunk.safeParse(event);
      if (!data) throw new BrokenAnswer('not a chunk of a completion', { cause: error });
      for (const { index, delta, message: whole, finish_reason: given, usage: counted } of data.choices ?? []) {
        // Only one answer is asked for.
        if (index) continue;
        if (delta) addDelta(delta);
        else if (whole) addMessage(whole);
        reason = given?.toLowerCase() || reason;
        usage = readUsage(counted) ?? usage;
      }
      usage = readUsage(data.usage ?? data.x_groq?.usage) ?? usage;
      return false;
    },
    finish(isDone) {
      const end = endOfReason.get(reason);
      const { calls: toolCalls, areWhole } = calls.finish();
      if (end === 'interrupted') throw new BrokenAnswer(`the answer ended with ${reason}`, { code: reason });
      const isWhole = toolCalls.length > 0 ? areWhole || isDone : text !== '' && (isDone || reason !== '');
      if (end === undefined && !isWhole) throw new BrokenAnswer('the stream ended early');
      return {
        answer: {
          text: storableText(text),
          toolCalls: toolCalls.map(({ extra: _, ...call }) => call),
          items: toChatItems({ content: readParts(parts) ?? text, calls: toolCalls, extra: withoutEmpty(extra) }),
          stop: end === 'cut' ? 'length' : 'end',
        },
        usage,
        isRefused: end === 'filtered' || (refusal !== '' && toolCalls.length === 0),
      };
    },
  };
}

const textPart = z.union([
  z.string(),
  z.object({ type: z.enum(['text', 'output_text']).optional(), text: z.string() }),
]);
const isTextPart = (part: unknown) => textPart.safeParse(part).success;
function readPart(part: unknown): string {
  const { data = '' } = textPart.safeParse(part);
  return typeof data === 'string' ? data : data.text;
}

const readParts = (parts: Fields | undefined) => (Array.isArray(parts?.content) ? parts.content : undefined);

/** Fields without content say nothing, and some servers refuse them. */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : isFields(value) ? Object.keys(value).length > 0 : value !== '',
    ),
  );

/** Append-only: longer conversations start with exactly the messages of shorter ones. */
export function toChatMessages({ inputs, images = [], answer, results }: Turn): object[] {
  return [
    ...(inputs.length > 0 ? [{ role: 'user', content: toChatContent(inputs.join('\n\n'), images) }] : []),
    ...(answer === null ? [] : toAnswerMessages(answer)),
    ...(results ?? []).map(({ callId, output }) => ({ role: 'tool', tool_call_id: callId, content: output })),
  ];
}

/** A text alone stays a text: some servers accept no parts. */
const toChatContent = (text: string, images: readonly TurnImage[]) =>
  images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map((image) => ({ type: 'image_url', image_url: { url: toDataUrl(image) } }))];

const toChatTools = (tools: ModelRequest['tools']): ChatCompletionFunctionTool[] =>
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
