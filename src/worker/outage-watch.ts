/** The database answered in this time, or it was not really there. */
const promptMs = 2_000;
/** Whoever lost the database tries every second to say what became of its runs, and is given the time for it. */
export const afterOutageMs = 5_000;

/**
 * Tells an outage of the database from a crash. When nobody could renew a lease, that one ran out says nothing about its holder; so for a
 * moment after the database is back, its jobs are left to it. Throws what `ask` throws.
 */
export function createOutageWatch() {
  let missedAt = Number.NEGATIVE_INFINITY;
  return {
    async ask<T>(ask: () => Promise<T>): Promise<T> {
      const askedAt = performance.now();
      try {
        const answer = await ask();
        if (performance.now() - askedAt > promptMs) missedAt = performance.now();
        return answer;
      } catch (error) {
        missedAt = performance.now();
        throw error;
      }
    },
    /** Whether the database has been there for a while, as far as it was asked. */
    isOver: () => performance.now() - missedAt > afterOutageMs,
  };
}
