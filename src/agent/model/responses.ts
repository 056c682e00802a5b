import { z } from 'zod';
import { storableText } from '../journal.ts';
import { BrokenAnswer } from './errors.ts';
import { isObjectText } from './join/join-arguments.ts';
import { createItems } from './join/join-items.ts';
import type { AnswerReader, Fields, Protocol, ReadAnswer } from './protocol.ts';
import { packItems } from './request-body.ts';
import { keepAcceptable, outputItem, toResponsesItems, toResponsesTools } from './response-items.ts';
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
