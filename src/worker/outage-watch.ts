/** The database answered in this time, or it was not really there. */
const promptMs = 2_000;
/** Whoever lost the database tries every second to say what became of its runs, and is given the time for it. */
export const afterOutageMs = 5_000;

/**
 * Tells an outage of the database from a crash. When nobody could renew a lease, that one ran out says nothing about its holder; so until
 * the database has answered for a while, its jobs are left to it. That while may be interrupted: under a load that makes one answer
 * in five late, a crashed worker's jobs must not be left to it for ever. Throws what `ask` throws.
 */
export function createOutageWatch() {
  /** For how much longer the database has to answer. */
  let leftMs = 0;
  /** When the answer before came, if that was in time. */
  let promptAt: number | undefined;

  function miss() {
    promptAt = undefined;
    leftMs ||= afterOutageMs;
  }

  function answered() {
    const now = performance.now();
    leftMs = Math.max(0, leftMs - (now - (promptAt ?? now)));
    promptAt = now;
  }

  return {
    async ask<T>(ask: () => Promise<T>): Promise<T> {
      const askedAt = performance.now();
      try {
        const answer = await ask();
        if (performance.now() - askedAt > promptMs) miss();
        else answered();
        return answer;
      } catch (error) {
        miss();
        throw error;
      }
    },
    /** Whether the database has been there for a while, as far as it was asked. */
    isOver: () => leftMs === 0,
  };
}
