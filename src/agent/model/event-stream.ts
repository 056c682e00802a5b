import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIError } from 'openai';
import { untilAborted } from '../../until-aborted.ts';
import { isFields } from '../json.ts';
import { BrokenAnswer } from './errors.ts';
import { findServerError } from './server-error.ts';

/** An event; `isDone` comes last, if the server said that nothing follows. */
type AnswerEvent = { isDone: false; isStream: boolean; event: Record<string, unknown> } | { isDone: true };

/**
 * Reads the body of an answer: a stream of events, or one JSON object, which some servers send although a stream was asked for. Calls `touch`
 * for each event. Throws `BrokenAnswer` when the body breaks, and `APIError` for an error that the server reports in it.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>, touch: () => void): AsyncGenerator<AnswerEvent> {
  try {
    let start = '';
    let isJson: boolean | undefined;
    const json: string[] = [];
    const waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => void waiting.push(message) });
    for await (const text of decode(body)) {
      if (isJson === undefined) {
        start = (start + text).trimStart();
        if (start === '') continue;
        isJson = start.startsWith('{') || start.startsWith('[');
      }
      const piece = start || text;
      start = '';
      if (isJson) {
        touch();
        json.push(piece);
      } else parser.feed(piece);
      yield* readMessages(waiting.splice(0), touch);
    }
    if (isJson) {
      yield { isDone: false, isStream: false, event: readEvent(json.join('')) };
      yield { isDone: true };
      return;
    }
    // Some servers omit the blank line after the last event.
    parser.feed('\n\n');
    yield* readMessages(waiting, touch);
  } catch (error) {
    if (error instanceof APIError || error instanceof BrokenAnswer) throw error;
    throw new BrokenAnswer('the stream broke', { cause: error });
  }
}

async function* decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function* readMessages(messages: readonly EventSourceMessage[], touch: () => void): Generator<AnswerEvent> {
  for (const { event: name, data } of messages) {
    touch();
    if (data.trim() === '[DONE]') yield { isDone: true };
    else if (data.trim() !== '') yield { isDone: false, isStream: true, event: readEvent(data, name) };
  }
}

function readEvent(text: string, name?: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  const event = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isFields(event)) throw new BrokenAnswer('not an event');
  const error = findServerError(event, name);
  if (error) throw error;
  return event;
}

/** `idleTimeoutMs` is between two events of the stream. */
export interface RequestTimeouts {
  idleTimeoutMs: number;
  requestTimeoutMs: number;
}

/** Ends a stalled request with `BrokenAnswer`: the SDK does not limit the time between two events. */
export async function withWatchdog<T>(options: {
  timeouts: RequestTimeouts;
  signal: AbortSignal;
  request: (signal: AbortSignal, touch: () => void) => Promise<T>;
}): Promise<T> {
  const { timeouts, signal, request } = options;
  const { idleTimeoutMs, requestTimeoutMs } = timeouts;
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
export function createBoundedFetch(parts: { maxBytes: number; maxErrorBytes: number }): typeof fetch {
  const { maxBytes, maxErrorBytes } = parts;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
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
