import { setTimeout as delay } from 'node:timers/promises';

/** Throws the signal's own reason. Node's timers throw an `AbortError`, which hides the class of the reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
