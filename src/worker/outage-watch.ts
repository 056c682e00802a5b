import { realTiming } from '../timing.ts';

/**
 * During an outage nobody can renew a lease, so an expired lease says nothing about its holder. The time without takeovers afterwards need
 * not be continuous: crashed jobs must be taken over even if every fifth answer is late.
 */
export function createOutageWatch(
  { afterOutageMs, promptAnswerMs }: { afterOutageMs: number; promptAnswerMs: number } = realTiming.claims,
) {
  let leftMs = 0;
  /** Undefined: the previous answer was late. */
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
        if (performance.now() - startedAt > promptAnswerMs) miss();
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
