import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';
import { withDeadline } from './availability.ts';

/**
 * Does what is to be done in spite of an outage: tries every second, and for two minutes, until `work` resolves. Hardly anything but the
 * database fails what this is for, so every error is one to try again after, but `LeaseLost`. An abort ends it after the try that is
 * under way: in five seconds. Throws what `work` threw last.
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
