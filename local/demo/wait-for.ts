import { setTimeout as delay } from 'node:timers/promises';
import { DemoFailure } from './demo-failure.ts';

/** Looks again and again until there is something. Throws `DemoFailure` when it takes too long, the signal's reason on an abort. */
export async function waitFor<Found>(
  look: () => Promise<Found | undefined>,
  { what, withinMs = 60_000, signal }: { what: string; withinMs?: number; signal: AbortSignal },
): Promise<Found> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(50, undefined, { signal })) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new DemoFailure(`${what}: that did not come about in ${withinMs / 1_000} seconds`);
}
