import { setTimeout as delay } from 'node:timers/promises';

const longestPauseMs = 200;

/**
 * Polls `look` until it returns a value: every `everyMs`, by default more and more slowly, because many wait at once and a look may cost as much
 * as the awaited work. Throws after `withinMs`, naming `what`.
 */
export async function eventually<Found>(
  look: () => Promise<Found | undefined> | Found | undefined,
  { what, withinMs = 180_000, everyMs }: { what?: string; withinMs?: number; everyMs?: number | undefined } = {},
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = everyMs ?? 20; ; pauseMs = everyMs ?? Math.min(pauseMs * 1.3, longestPauseMs)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`timed out after ${withinMs} ms${what ? `: ${what}` : ''}`);
    await delay(pauseMs);
  }
}
