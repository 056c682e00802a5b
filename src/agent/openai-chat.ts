import type { OpenAI } from 'openai';
import { toChatMessages, toChatTools } from './chat-conversion.ts';
import { createChatAssembly } from './chat-stream.ts';
import { estimateUsage } from './estimate-usage.ts';
import { createModelFailure } from './model-fault.ts';
import type { AskModel } from './model-retry.ts';
import { readEvents } from './read-events.ts';
import { type RequestTimeouts, withWatchdog } from './watchdog.ts';

/**
 * Asks by Chat Completions, for servers that have only that. It sends nothing that such a server might not know: no cache key, no
 * developer role. https://developers.openai.com/api/reference/resources/chat
 */
export function createChatAsk({
  client,
  model,
  timeouts,
}: {
  client: OpenAI;
  model: string;
  timeouts: RequestTimeouts;
}): AskModel {
  return async (request, signal) => {
    const body = {
      model,
      messages: toChatMessages(request),
      tools: toChatTools(request.tools),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    const read = async (watched: AbortSignal, touch: () => void) => {
      const assembly = createChatAssembly();
      for await (const event of readEvents(await client.chat.completions.create(body, { signal: watched }), touch)) {
        assembly.add(event);
      }
      return assembly.finish();
    };
    const { answer, usage, isRefused } = await withWatchdog({ timeouts, signal, request: read });
    if (isRefused) {
      throw createModelFailure({ code: 'model_refused', model });
    }
    return { ...answer, usage: usage ?? estimateUsage({ sent: body, received: answer.items }) };
  };
}
