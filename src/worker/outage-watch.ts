import { realTiming } from '../timing.ts';

/**
 * Tells an outage of the database from a crash of a worker. During an outage nobody can renew a lease, so an expired lease says nothing about
 * its holder: no job is taken over until the database has answered for `realTiming.claims.afterOutageMs`. That time need not be continuous: under a load that
 * makes one answer in five late, a crashed worker's jobs must still be taken over. Throws what `query` throws.
 */
export function createOutageWatch() {
  /** Time for which the database still has to answer. */
  let leftMs = 0;
  /** Time of the previous answer, if it was prompt. */
  let promptAt: number | undefined;

  function miss() {
    promptAt = undefined;
    leftMs ||= realTiming.claims.afterOutageMs;
  }

  function answered() {
    const now = performance.now();
    leftMs = Math.max(0, leftMs - (now - (promptAt ?? now)));
    promptAt = now;
  }

  return {
    async watch<T>(query: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      try {
        const answer = await query();
        if (performance.now() - startedAt > realTiming.claims.promptAnswerMs) miss();
        else answered();
        return answer;
      } catch (error) {
        miss();
        throw error;
      }
    },
    isOver: () => leftMs === 0,
  };
}
