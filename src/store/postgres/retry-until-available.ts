import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';
import { withDeadline } from './availability.ts';

const retryEveryMs = 1_000;

/** For writes that must not be lost. */
const retryForMs = 2 * 60_000;

/** Retries every error except `LeaseLost`: an outage must not look like a crash of the worker. Throws the last error. */
export async function retryUntilAvailable<T>(
  database: Kysely<Tables>,
  { signal }: { signal: AbortSignal },
  work: (database: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + retryForMs; ; ) {
    try {
      return await withDeadline(database, { withinMs: realTiming.database.tryWithinMs }, work);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted || performance.now() > deadline) throw error;
      await delay(retryEveryMs, undefined, { signal }).catch(() => {});
    }
  }
}
