const abortedWorkMs = 3_000;
/** Rejects with the signal's reason `graceMs` after an abort: the grace lets work that obeys the signal end first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs = abortedWorkMs): Promise<T> {
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
