import { APIError, BadRequestError, type OpenAI } from 'openai';
import type { ResponseIncludable } from 'openai/resources/responses/responses';
import type { ReasoningEffort } from 'openai/resources/shared';
import { z } from 'zod';
import { storableText } from '../journal.ts';
import { BrokenAnswer, ModelRefusal } from './errors.ts';
import { postForEvents, type RequestTimeouts, readEvents, withWatchdog } from './event-stream.ts';
import type { ModelAnswer } from './model.ts';
import { createBodyWriter, packItems } from './request-body.ts';
import { keepAcceptable, outputItem, toResponsesItems, toResponsesTools } from './response-items.ts';
import type { AskModel } from './retrying-model.ts';
import { estimateUsage, inputTokenCount, tokenCount } from './usage.ts';

/** Stateless: https://developers.openai.com/api/docs/guides/reasoning#encrypted-reasoning-items */
export function createResponsesAsk({
  client,
  model,
  reasoningEffort,
  timeouts,
}: {
  client: OpenAI;
  model: string;
  reasoningEffort: ReasoningEffort;
  timeouts: RequestTimeouts;
}): AskModel {
  const writeBody = createBodyWriter({ list: 'input', toItems: toResponsesItems });
  let include: ResponseIncludable[] = ['reasoning.encrypted_content'];
  const ask: AskModel = async (request, signal) => {
    const fields = {
      model,
      instructions: request.instructions,
      tools: toResponsesTools(request.tools),
      parallel_tool_calls: true,
      prompt_cache_key: request.cacheKey,
      store: false,
      include,
      stream: true,
      ...(reasoningEffort && { reasoning: { effort: reasoningEffort } }),
    };
    const body = writeBody({ fields, turns: request.turns });
    const read = async (watched: AbortSignal, touch: () => void) =>
      fromResponse(
        await readResponse(await postForEvents({ client, path: '/responses', body, signal: watched }), touch),
      );
    try {
      const { answer, usage, isRefused } = await withWatchdog({ timeouts, signal, request: read });
      if (isRefused) {
        throw new ModelRefusal({ reason: 'model_refused', model });
      }
      return { ...answer, usage: usage ?? estimateUsage({ sentBytes: body.size, received: answer.items }) };
    } catch (error) {
      // Models without reasoning may reject this parameter with a 400 that names it.
      if (error instanceof BadRequestError && error.param === 'include' && include.length > 0) {
        include = [];
        return ask(request, signal);
      }
      throw error;
    }
  };
  return ask;
}

/** Checks every field: compatible servers omit some that the types require. */
async function readResponse(
  stream: AsyncIterable<unknown>,
  touch: () => void,
): Promise<{ response: unknown; streamedItems: unknown[] }> {
  const streamedItems: unknown[] = [];
  for await (const event of readEvents(stream, touch)) {
    if (event.type === 'response.output_item.done') {
      streamedItems.push(event.item);
    }
    if (event.type === 'error') {
      throw new APIError(undefined, event, undefined, new Headers());
    }
    if (['response.completed', 'response.incomplete', 'response.failed'].includes(String(event.type))) {
      return { response: event.response, streamedItems };
    }
  }
  throw new BrokenAnswer('the stream ended early');
}

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
/** `streamedItems` replace an empty `output`. `usage` is null when the server reports none. Throws `BrokenAnswer`. */
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
  // Some compatible servers give no reason. Asked again, they would cut the answer at the same length.
  const cutBy = status === 'incomplete' ? (incomplete?.reason ?? 'max_output_tokens') : undefined;
  const isCut = cutBy === 'max_output_tokens';
  const isFiltered = cutBy === 'content_filter';
  if (status !== 'completed' && !isCut && !isFiltered) {
    throw new BrokenAnswer(`the response is ${status ?? 'without a status'}`, { code: error?.code ?? null });
  }
  const raw = output && output.length > 0 ? output : streamedItems;
  if (raw.length === 0 && status === 'completed') {
    throw new BrokenAnswer('the response is empty');
  }
  const knownItems = raw.flatMap((item) => outputItem.safeParse(item).data ?? []);
  const parts = knownItems.flatMap((item) => (item.type === 'message' ? item.content : []));
  const toolCalls = knownItems.flatMap((item) =>
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
