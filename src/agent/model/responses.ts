import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { storableText } from '../journal.ts';
import { type Fields, isObjectText } from '../json.ts';
import { BrokenAnswer } from './errors.ts';
import { toDataUrl } from './images.ts';
import { createItems } from './join/join-items.ts';
import type { AnswerReader, ModelAnswer, ModelRequest, Protocol, ReadAnswer, Turn, TurnImage } from './model.ts';
import { noAnswer, packItems, unpackItems } from './request-body.ts';
import { readUsage } from './usage.ts';

/** Stateless: https://developers.openai.com/api/docs/guides/reasoning#encrypted-reasoning-items */
export const responsesProtocol: Protocol = {
  path: '/responses',
  list: 'input',
  writeFields: ({ instructions, tools, cacheKey }, { model, reasoningEffort }) => ({
    model,
    instructions,
    tools: toResponsesTools(tools),
    parallel_tool_calls: true,
    prompt_cache_key: cacheKey,
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
    ...(reasoningEffort && { reasoning: { effort: reasoningEffort } }),
  }),
  writeLead: () => [],
  toItems: toResponsesItems,
  createReader: createResponsesReader,
};

const statusOfEvent = new Map<unknown, string | undefined>([
  ['response.completed', 'completed'],
  ['response.done', undefined],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
]);

/** Reads the events of a stream, and a whole response in place of them. Compatible servers omit some fields that the types require. */
function createResponsesReader(): AnswerReader {
  const items = createItems();
  let final: Fields | undefined;
  return {
    add(event) {
      const isWhole = event.object === 'response' || (event.type === undefined && 'output' in event);
      if (isWhole) final = event;
      else if (statusOfEvent.has(event.type)) {
        const status = statusOfEvent.get(event.type);
        final = { ...z.record(z.string(), z.unknown()).catch({}).parse(event.response), ...(status && { status }) };
      } else items.add(event);
      return final !== undefined;
    },
    finish(isDone) {
      const streamed = items.list();
      if (final) return fromResponse({ response: final, streamed, fill: items.fill });
      const areCallsWhole =
        streamed.some(isWholeCall) && streamed.every((item) => item.type !== 'function_call' || isWholeCall(item));
      if (!areCallsWhole && !(isDone && items.areDone())) throw new BrokenAnswer('the stream ended early');
      return fromResponse({ response: { output: streamed }, streamed });
    },
  };
}

const isWholeCall = (item: Fields) => item.type === 'function_call' && isObjectText(String(item.arguments));

const finalResponse = z.object({
  status: z.string().toLowerCase().nullish(),
  output: z.array(z.unknown()).nullish(),
  error: z.object({ code: z.coerce.string().nullish() }).nullish().catch(null),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish().catch(null),
  usage: z.unknown().optional(),
});
const unfinished = ['failed', 'cancelled', 'in_progress', 'queued'];

/** `streamed` replaces an `output` that is shorter. Throws `BrokenAnswer`. */
export function fromResponse(options: {
  response: unknown;
  streamed?: readonly unknown[];
  fill?: (item: unknown, index: number) => unknown;
}): ReadAnswer {
  const { response, streamed = [], fill = (item) => item } = options;
  const parsed = finalResponse.safeParse(response);
  if (!parsed.success) throw new BrokenAnswer('not a response', { cause: parsed.error });
  const { status, output, error, incomplete_details: incomplete, usage } = parsed.data;
  // Some compatible servers give no reason. Asked again, they would cut the answer at the same length.
  const cutBy = status === 'incomplete' ? (incomplete?.reason ?? 'max_output_tokens') : undefined;
  const isCut = cutBy === 'max_output_tokens';
  const isFiltered = cutBy === 'content_filter';
  if (unfinished.includes(status ?? '') || (cutBy !== undefined && !isCut && !isFiltered))
    throw new BrokenAnswer(`the response is ${status}`, { code: error?.code ?? null });
  const raw = output && output.length >= streamed.length ? output.map(fill) : streamed;
  if (raw.length === 0 && cutBy === undefined) throw new BrokenAnswer('the response is empty');
  const knownItems = raw.flatMap((item) => outputItem.safeParse(item).data ?? []);
  const parts = knownItems.flatMap((item) => (item.type === 'message' ? item.content : []));
  const toolCalls = knownItems.flatMap((item) =>
    item.type === 'function_call'
      ? [{ callId: storableText(item.call_id), name: storableText(item.name), arguments: storableText(item.arguments) }]
      : [],
  );
  const text = parts.map((part) => (['output_text', 'text'].includes(part.type) ? (part.text ?? '') : '')).join('');
  return {
    answer: {
      text: storableText(text),
      toolCalls,
      items: packItems(keepAcceptable(raw)),
      stop: isCut ? 'length' : 'end',
    },
    usage: readUsage(usage),
    isRefused: isFiltered || (toolCalls.length === 0 && parts.some((part) => part.type === 'refusal')),
  };
}

/** Append-only: longer conversations start with exactly the input of shorter ones. */
export function toResponsesItems({ inputs, images = [], answer, results }: Turn): ResponseInputItem[] {
  return [
    ...(inputs.length > 0 ? [{ role: 'user' as const, content: toContent(inputs.join('\n\n'), images) }] : []),
    ...(answer === null ? [] : toAnswerItems(answer)),
    ...(results ?? []).map(({ callId, output }) => ({
      type: 'function_call_output' as const,
      call_id: callId,
      output,
    })),
  ];
}

const toContent = (text: string, images: readonly TurnImage[]) =>
  images.length === 0
    ? text
    : [
        { type: 'input_text' as const, text },
        ...images.map((image) => ({
          type: 'input_image' as const,
          detail: 'auto' as const,
          image_url: toDataUrl(image),
        })),
      ];

/** `strict` would make every argument required. https://developers.openai.com/api/docs/guides/function-calling */
export const toResponsesTools = (tools: ModelRequest['tools']): FunctionTool[] =>
  tools.map((tool) => ({ type: 'function', strict: false, ...tool }));

function toAnswerItems(answer: ModelAnswer): ResponseInputItem[] {
  const items = unpackItems(answer.items);
  if (items.length > 0 && items.every(isInputItem)) return items;
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

const messageContent = z
  .string()
  .transform((text) => [{ type: 'output_text', text }])
  .or(z.array(z.object({ type: z.string(), text: z.string().nullish() })));
const outputItem = z.union([
  z.object({ type: z.literal('message'), content: messageContent }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    encrypted_content: z.string().nullish(),
    content: z.array(z.unknown()).nullish(),
  }),
]);

/** The API rejects reasoning that no other item follows, and reasoning without content, which it would look up in its store. */
function keepAcceptable(items: readonly unknown[]): unknown[] {
  const reasoning = items.map((item) => {
    const { data } = outputItem.safeParse(item);
    return data?.type === 'reasoning' ? data : undefined;
  });
  const lastOther = reasoning.lastIndexOf(undefined);
  return items.filter((_, index) => {
    const thought = reasoning[index];
    return (
      thought === undefined || (index < lastOther && (thought.encrypted_content || (thought.content?.length ?? 0) > 0))
    );
  });
}
