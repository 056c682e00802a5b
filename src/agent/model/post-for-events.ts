import type { OpenAI } from 'openai';

/**
 * Posts a body and returns the events that the model server streams in answer. It avoids the SDK's own method for the route, which keeps
 * the body twice, as an object and as text, for as long as the model thinks. Throws what the SDK throws.
 */
export const postForEvents = ({
  client,
  path,
  body,
  signal,
}: {
  client: OpenAI;
  path: '/responses' | '/chat/completions';
  body: Blob;
  signal: AbortSignal;
}): Promise<AsyncIterable<unknown>> => client.post<AsyncIterable<unknown>>(path, { body, signal, stream: true });
