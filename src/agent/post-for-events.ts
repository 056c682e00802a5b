import type { OpenAI } from 'openai';

/**
 * The events that a model server streams in answer to a body. By the SDK, but not by its method for the route: that keeps the body as an
 * object and as a text for as long as the model thinks. Throws what the SDK throws.
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
