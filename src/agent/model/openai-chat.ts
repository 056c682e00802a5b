import type { OpenAI } from 'openai';
import { toChatMessages, toChatTools, toSystemMessage } from './chat-conversion.ts';
import { createChatAssembly } from './chat-stream.ts';
import { estimateUsage } from './estimate-usage.ts';
import { createModelFailure } from './model-fault.ts';
import type { AskModel } from './model-retry.ts';
import { postForEvents } from './post-for-events.ts';
import { readEvents } from './read-events.ts';
import { createBodyWriter } from './request-body.ts';
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
  const writeBody = createBodyWriter({ list: 'messages', toItems: toChatMessages });
  return async ({ instructions, turns, tools }, signal) => {
    const fields = { model, stream: true, stream_options: { include_usage: true }, tools: toChatTools(tools) };
    const body = writeBody({ fields, lead: [toSystemMessage(instructions)], turns });
    const read = async (watched: AbortSignal, touch: () => void) => {
      const assembly = createChatAssembly();
      for await (const event of readEvents(
        await postForEvents({ client, path: '/chat/completions', body, signal: watched }),
        touch,
      )) {
        assembly.add(event);
      }
      return assembly.finish();
    };
    const { answer, usage, isRefused } = await withWatchdog({ timeouts, signal, request: read });
    if (isRefused) {
      throw createModelFailure({ code: 'model_refused', model });
    }
    return { ...answer, usage: usage ?? estimateUsage({ sentBytes: body.size, received: answer.items }) };
  };
}
