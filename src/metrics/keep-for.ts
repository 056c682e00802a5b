/**
 * Asks at most once in `keptMs`, and never twice at once: who asks meanwhile gets what was known last, if that is no older, or waits for
 * the same answer. Undefined where there is none; never throws.
 */
export function cacheFor<T>(keptMs: number, ask: () => Promise<T>): () => Promise<T | undefined> {
  let known: { value: T; askedAt: number } | undefined;
  let asking: Promise<T | undefined> | undefined;

  async function askOnce(): Promise<T | undefined> {
    const askedAt = performance.now();
    try {
      const value = await ask();
      known = { value, askedAt };
      return value;
    } catch {
      known = undefined;
      return undefined;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (known && performance.now() - known.askedAt < keptMs) return known.value;
    asking ??= askOnce();
    return asking;
  };
}
