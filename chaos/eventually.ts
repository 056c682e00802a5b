import { setTimeout as delay } from 'node:timers/promises';

/** Looks until there is something; throws, naming `what`, after a while. */
export async function eventually<Found>(
  look: () => Promise<Found | undefined> | Found | undefined,
  { what, withinMs = 60_000, everyMs = 40 }: { what: string; withinMs?: number; everyMs?: number },
): Promise<Found> {
  for (const deadline = performance.now() + withinMs; ; await delay(everyMs)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`it did not come about within ${withinMs} ms: ${what}`);
  }
}
