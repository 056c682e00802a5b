import { setTimeout as delay } from 'node:timers/promises';

/** How often is looked: what is measured by that is at most so much too long. */
const defaultEveryMs = 5;

/** Looks until there is something; throws after a minute, or `withinMs`. */
export async function eventually<Found>(
  look: () => Promise<Found | undefined> | Found | undefined,
  { everyMs = defaultEveryMs, withinMs = 60_000 }: { everyMs?: number; withinMs?: number } = {},
): Promise<Found> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(everyMs)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`it did not come about in ${withinMs / 1_000} s`);
}
