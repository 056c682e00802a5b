import { setTimeout as delay } from 'node:timers/promises';

/** Polls `look` until it returns a value. Throws after `withinMs`, naming `what`. */
export async function eventually<Found>(
  look: () => Promise<Found | undefined> | Found | undefined,
  { what, withinMs = 60_000, everyMs = 40 }: { what?: string; withinMs?: number; everyMs?: number } = {},
): Promise<Found> {
  for (const deadline = performance.now() + withinMs; ; await delay(everyMs)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`timed out after ${withinMs} ms${what ? `: ${what}` : ''}`);
  }
}
