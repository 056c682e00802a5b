import { APIError } from 'openai';
import { z } from 'zod';
import { BrokenAnswer } from './broken-answer.ts';

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
