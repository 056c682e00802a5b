import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits. Throws the signal's reason as soon as it aborts: Node's own timers throw an `AbortError` and hide the reason in its `cause`, where
 * nobody who judges errors by their class looks for it.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
