import { APIError, type OpenAI } from 'openai';
import { z } from 'zod';
import { untilAborted } from '../../until-aborted.ts';
import { BrokenAnswer } from './errors.ts';

const anyEvent = z.record(z.string(), z.unknown());

/** Calls `touch` for each event. Throws `BrokenAnswer` when the stream breaks, and `APIError` for an error that the server reports. */
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

/** Streams the events. The SDK's own method for the route would keep the body in memory twice, as object and as text. */
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

/** `idleTimeoutMs` is between two events of the stream. */
export interface RequestTimeouts {
  idleTimeoutMs: number;
  requestTimeoutMs: number;
}

/** Ends a stalled request with `BrokenAnswer`: the SDK does not limit the time between two events. */
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
  const idle = setTimeout(() => stall.abort(new BrokenAnswer(`no event for ${idleTimeoutMs} ms`)), idleTimeoutMs);
  const whole = setTimeout(
    () => stall.abort(new BrokenAnswer(`not complete after ${requestTimeoutMs} ms`)),
    requestTimeoutMs,
  );
  const requestSignal = AbortSignal.any([signal, stall.signal]);
  try {
    return await untilAborted(
      request(requestSignal, () => idle.refresh()),
      requestSignal,
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

/** A `fetch` with limits for the size of answers and error answers: an endless answer can fill neither memory nor log. */
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
