import { pause } from '../../pause.ts';
import { realTiming } from '../../timing.ts';
import { readFate } from './failed-request.ts';

/** Retries a request without a usable answer, or with a 401 for a young token, which GitHub's servers may not know yet
 * (https://github.com/octokit/auth-app.js/blob/main/src/hook.ts). Throws the last error. No try begins more than `withinMs` after the first. */
export async function retryRead<Result>(options: {
  request: () => Promise<Result>;
  delaysMs: readonly number[];
  isTokenYoung: () => boolean;
  withinMs?: number;
  signal: AbortSignal;
}): Promise<Result> {
  const { request, delaysMs, isTokenYoung, withinMs = realTiming.github.tryWithinMs, signal } = options;
  const startedAt = performance.now();
  for (const delayMs of delaysMs) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const fate = readFate(error);
      const isRetryable =
        fate.kind === 'lost' || (fate.kind === 'refused' && fate.answer.status === 401 && isTokenYoung());
      if (!isRetryable || performance.now() - startedAt + delayMs > withinMs) throw error;
      await pause(delayMs, signal);
    }
  }
  return request();
}
