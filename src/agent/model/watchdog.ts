import { within } from '../within.ts';
import { BrokenAnswer } from './broken-answer.ts';

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
    return await within(
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
