import { pause } from '../../pause.ts';
import { realTiming } from '../../timing.ts';
import { readFate } from './failed-request.ts';

/**
 * Repeats a request that changes nothing, once per delay, when no usable answer came, or when GitHub does not know a token yet that is
 * younger than five seconds (its servers learn of a new one with a delay: https://github.com/octokit/auth-app.js/blob/main/src/hook.ts).
 * The last error is thrown as it is; an abort ends the waiting at once. No try begins more than `withinMs` after the first one.
 */
export async function retryRead<Result>(options: {
  request: () => Promise<Result>;
  delaysMs: readonly number[];
  isTokenYoung: () => boolean;
  withinMs?: number;
  signal: AbortSignal;
}): Promise<Result> {
  const { request, delaysMs, isTokenYoung, withinMs = realTiming.github.tryWithinMs, signal } = options;
  const begunAt = performance.now();
  for (const delayMs of delaysMs) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const fate = readFate(error);
      const isWorthRepeating =
        fate.kind === 'lost' || (fate.kind === 'refused' && fate.answer.status === 401 && isTokenYoung());
      if (!isWorthRepeating || performance.now() - begunAt + delayMs > withinMs) throw error;
      await pause(delayMs, signal);
    }
  }
  return request();
}
