import { APIError, BadRequestError, type OpenAI } from 'openai';
import type { ResponseIncludable } from 'openai/resources/responses/responses';
import { BrokenAnswer } from './broken-answer.ts';
import { estimateUsage } from './estimate-usage.ts';
import { createModelFailure } from './model-fault.ts';
import type { AskModel } from './model-retry.ts';
import { postForEvents } from './post-for-events.ts';
import { readEvents } from './read-events.ts';
import { createBodyWriter } from './request-body.ts';
import { fromResponse, toResponsesItems, toResponsesTools } from './responses-conversion.ts';
import { type RequestTimeouts, withWatchdog } from './watchdog.ts';

/**
 * Asks by the Responses API, stateless: the provider stores nothing, and the whole input is sent each time, with the reasoning encrypted.
 * https://developers.openai.com/api/docs/guides/reasoning#encrypted-reasoning-items
 */
export function createResponsesAsk({
  client,
  model,
  timeouts,
}: {
  client: OpenAI;
  model: string;
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
    };
    const body = writeBody({ fields, turns: request.turns });
    const read = async (watched: AbortSignal, touch: () => void) =>
      fromResponse(
        await readResponse(await postForEvents({ client, path: '/responses', body, signal: watched }), touch),
      );
    try {
      const { answer, usage, isRefused } = await withWatchdog({ timeouts, signal, request: read });
      if (isRefused) {
        throw createModelFailure({ code: 'model_refused', model });
      }
      return { ...answer, usage: usage ?? estimateUsage({ sentBytes: body.size, received: answer.items }) };
    } catch (error) {
      // A model that does not reason may refuse to encrypt its reasoning; its 400 names this parameter.
      if (error instanceof BadRequestError && error.param === 'include' && include.length > 0) {
        include = [];
        return ask(request, signal);
      }
      throw error;
    }
  };
  return ask;
}

/** Reads the stream to its last event. Servers that only resemble OpenAI's omit what the types promise, so every field is checked. */
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
