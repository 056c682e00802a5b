/**
 * Waits for work that should obey `signal`, but not for ever when it does not: `graceMs` after the abort it rejects with the signal's
 * reason. The grace lets obedient work end first, so that it changes nothing behind our back.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs = 3_000): Promise<T> {
  const cut = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => cut.reject(signal.reason), graceMs);
  };
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
  }
  try {
    return await Promise.race([work, cut.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
