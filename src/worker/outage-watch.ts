/** A slower answer counts as an outage. */
const promptMs = 2_000;
/** After an outage, lease holders retry every second; this is their time to renew before others take over. */
export const afterOutageMs = 5_000;

/**
 * Tells an outage of the database from a crash of a worker. During an outage nobody can renew a lease, so an expired lease says nothing about
 * its holder: no job is taken over until the database has answered for `afterOutageMs`. That time need not be continuous: under a load that
 * makes one answer in five late, a crashed worker's jobs must still be taken over. Throws what `query` throws.
 */
export function createOutageWatch() {
  /** Time for which the database still has to answer. */
  let leftMs = 0;
  /** Time of the previous answer, if it was prompt. */
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
    async watch<T>(query: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      try {
        const answer = await query();
        if (performance.now() - startedAt > promptMs) miss();
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
