import { APIError, type OpenAI } from 'openai';
import { z } from 'zod';
import { untilAborted } from '../until-aborted.ts';
import { BrokenAnswer } from './errors.ts';

const anyEvent = z.record(z.string(), z.unknown());

/**
 * Yields the events of a stream, each one an object, and calls `touch` for each. What breaks underneath (a reset, bad JSON, a stray value)
 * is thrown as `BrokenAnswer`; what the server announces stays the SDK's `APIError`.
 */
export async function* readEvents(
  stream: AsyncIterable<unknown>,
  touch: () => void,
): AsyncGenerator<Record<string, unknown>> {
  try {
    for await (const event of stream) {
      touch();
      yield anyEvent.parse(event);
    }
  } catch (error) {
    if (error instanceof APIError || error instanceof BrokenAnswer) throw error;
    throw new BrokenAnswer('the stream broke', { cause: error });
  }
}

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

/** How long one request to a model server may take, in milliseconds: between two events of its stream, and in all. */
export interface RequestTimeouts {
  idleTimeoutMs: number;
  requestTimeoutMs: number;
}

/**
 * Runs one request under a watchdog; `touch` is called for each event that arrives. The SDK does not limit the time between two events, so
 * a stream that stalls after its first one would hang for ever. Throws `BrokenAnswer` on a stall, the signal's reason when aborted.
 */
export async function withWatchdog<T>({
  timeouts: { idleTimeoutMs, requestTimeoutMs },
  signal,
  request,
}: {
  timeouts: RequestTimeouts;
  signal: AbortSignal;
  request: (signal: AbortSignal, touch: () => void) => Promise<T>;
}): Promise<T> {
  const stall = new AbortController();
  const idle = setTimeout(() => stall.abort(new BrokenAnswer(`silent for ${idleTimeoutMs} ms`)), idleTimeoutMs);
  const whole = setTimeout(() => stall.abort(new BrokenAnswer(`not done in ${requestTimeoutMs} ms`)), requestTimeoutMs);
  const either = AbortSignal.any([signal, stall.signal]);
  try {
    return await untilAborted(
      request(either, () => idle.refresh()),
      either,
      500,
    );
  } catch (error) {
    signal.throwIfAborted();
    stall.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(idle);
    clearTimeout(whole);
  }
}

/**
 * `fetch` whose answers break off beyond `maxBytes`, and unsuccessful ones beyond `maxErrorBytes`: a server that floods us can fill neither
 * our memory, even with one endless line, nor our log with its error page.
 */
export function createBoundedFetch({
  maxBytes,
  maxErrorBytes,
}: {
  maxBytes: number;
  maxErrorBytes: number;
}): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) {
      return response;
    }
    const bytes = response.ok ? maxBytes : maxErrorBytes;
    let left = bytes;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) {
          const code = response.ok ? 'answer_too_large' : null;
          controller.error(new BrokenAnswer(`more than ${bytes} bytes`, { code }));
        } else {
          controller.enqueue(chunk);
        }
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
}
