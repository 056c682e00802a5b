import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { storableText } from '../storable-text.ts';
import { BrokenAnswer } from './broken-answer.ts';
import type { ModelAnswer, ModelRequest, Turn } from './model.ts';
import { noAnswer, packItems, unpackItems } from './stored-items.ts';
import { inputTokenCount, tokenCount } from './token-count.ts';

/**
 * A turn as input of the Responses API. Input is only ever added: that of more turns begins with that of fewer, word for word, and the
 * items of a turn never change.
 */
export const toResponsesItems = ({ inputs, answer, results }: Turn): ResponseInputItem[] => [
  ...(inputs.length > 0 ? [{ role: 'user' as const, content: inputs.join('\n\n') }] : []),
  ...(answer === null ? [] : toAnswerItems(answer)),
  ...(results ?? []).map(({ callId, output }) => ({
    type: 'function_call_output' as const,
    call_id: callId,
    output,
  })),
];

/** `strict` is off because it demands that every argument is required. https://developers.openai.com/api/docs/guides/function-calling */
export const toResponsesTools = (tools: ModelRequest['tools']): FunctionTool[] =>
  tools.map((tool) => ({ type: 'function', strict: false, ...tool }));

function toAnswerItems(answer: ModelAnswer): ResponseInputItem[] {
  const items = unpackItems(answer.items);
  if (items.length > 0 && items.every(isInputItem)) {
    return items;
  }
  const text = answer.text === '' && answer.toolCalls.length === 0 ? noAnswer : answer.text;
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...answer.toolCalls.map((call) => ({
      type: 'function_call' as const,
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
}

const inputItem = z.looseObject({ type: z.string() });
const isInputItem = (item: unknown): item is ResponseInputItem => inputItem.safeParse(item).success;

const finalResponse = z.object({
  status: z.string().nullish(),
  output: z.array(z.unknown()).nullish(),
  error: z.object({ code: z.coerce.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z
    .object({
      input_tokens: inputTokenCount,
      output_tokens: tokenCount,
      input_tokens_details: z.object({ cached_tokens: tokenCount.nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});
const outputItem = z.union([
  z.object({
    type: z.literal('message'),
    content: z.array(z.object({ type: z.string(), text: z.string().nullish() })),
  }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    encrypted_content: z.string().nullish(),
    content: z.array(z.unknown()).nullish(),
  }),
]);

/**
 * A whole response as an answer; `streamedItems` are those of its `response.output_item.done` events, for servers that leave `output`
 * empty at the end. `usage` is null when the server gave none. Throws `BrokenAnswer`.
 */
export function fromResponse({ response, streamedItems }: { response: unknown; streamedItems: unknown[] }): {
  answer: Omit<ModelAnswer, 'usage'>;
  usage: ModelAnswer['usage'] | null;
  isRefused: boolean;
} {
  const parsed = finalResponse.safeParse(response);
  if (!parsed.success) {
    throw new BrokenAnswer('not a response', { cause: parsed.error });
  }
  const { status, output, error, incomplete_details: incomplete, usage } = parsed.data;
  const isCut = status === 'incomplete' && incomplete?.reason === 'max_output_tokens';
  const isFiltered = status === 'incomplete' && incomplete?.reason === 'content_filter';
  if (status !== 'completed' && !isCut && !isFiltered) {
    throw new BrokenAnswer(`the response is ${status ?? 'without a status'}`, { code: error?.code ?? null });
  }
  const raw = output && output.length > 0 ? output : streamedItems;
  if (raw.length === 0 && status === 'completed') {
    throw new BrokenAnswer('the response is empty');
  }
  const known = raw.flatMap((item) => outputItem.safeParse(item).data ?? []);
  const parts = known.flatMap((item) => (item.type === 'message' ? item.content : []));
  const toolCalls = known.flatMap((item) =>
    item.type === 'function_call'
      ? [{ callId: storableText(item.call_id), name: storableText(item.name), arguments: storableText(item.arguments) }]
      : [],
  );
  return {
    answer: {
      text: storableText(parts.map((part) => (part.type === 'output_text' ? (part.text ?? '') : '')).join('')),
      toolCalls,
      items: packItems(keepAcceptable(raw)),
      stop: isCut ? 'length' : 'end',
    },
    usage: usage
      ? {
          tokensIn: usage.input_tokens,
          tokensOut: usage.output_tokens,
          tokensCached: usage.input_tokens_details?.cached_tokens ?? 0,
        }
      : null,
    isRefused: isFiltered || (toolCalls.length === 0 && parts.some((part) => part.type === 'refusal')),
  };
}

/**
 * The items that the API takes back. It refuses reasoning that no other item follows, and looks up reasoning that comes without its content
 * in a store that we do not use.
 */
function keepAcceptable(items: readonly unknown[]): unknown[] {
  const reasoning = items.map((item) => {
    const { data } = outputItem.safeParse(item);
    return data?.type === 'reasoning' ? data : undefined;
  });
  const lastOther = reasoning.lastIndexOf(undefined);
  return items.filter((_, index) => {
    const own = reasoning[index];
    return own === undefined || (index < lastOther && (own.encrypted_content || (own.content?.length ?? 0) > 0));
  });
}
