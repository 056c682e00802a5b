import { realTiming } from '../timing.ts';
/**
 * Waits for `work`, and rejects with the signal's reason `graceMs` after an abort. The grace lets work that obeys the signal end first, so
 * that it changes nothing in the background.
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs = realTiming.shutdown.abortedWorkMs,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => aborted.reject(signal.reason), graceMs);
  };
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
  }
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
