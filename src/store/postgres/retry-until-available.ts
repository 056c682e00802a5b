import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';
import { withDeadline } from './availability.ts';

/**
 * Runs `work` until it resolves: every second, for up to two minutes, so that an outage of the database does not look like a crash of the
 * worker. Retries every error except `LeaseLost`, because little but the database fails here. An abort ends it after the current try,
 * within five seconds. Throws the last error.
 */
export async function retryUntilAvailable<T>(
  database: Kysely<Tables>,
  { signal }: { signal: AbortSignal },
  work: (database: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + realTiming.database.retryForMs; ; ) {
    try {
      return await withDeadline(database, { withinMs: realTiming.database.tryWithinMs }, work);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted || performance.now() > deadline) throw error;
      await delay(realTiming.database.retryEveryMs, undefined, { signal }).catch(() => {});
    }
  }
}
