import { setTimeout as delay } from 'node:timers/promises';
import { DemoFailure } from './demo-failure.ts';

/** Polls `look` until it returns a value. Throws `DemoFailure` after `withinMs`, the signal's reason on an abort. */
export async function waitFor<Found>(
  look: () => Promise<Found | undefined>,
  { what, withinMs = 60_000, signal }: { what: string; withinMs?: number; signal: AbortSignal },
): Promise<Found> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(50, undefined, { signal })) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new DemoFailure(`timed out after ${withinMs / 1_000} seconds: ${what}`);
}
