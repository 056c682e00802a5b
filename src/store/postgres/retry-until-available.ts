import { setTimeout as delay } from 'node:timers/promises';
import { LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import { withDeadline } from './availability.ts';
import type { Database } from './database.ts';

const retryEveryMs = 1_000;

/** For writes that must not be lost. */
const retryForMs = 2 * 60_000;

/** Retries every error except `LeaseLost`: an outage must not look like a crash of the worker. Throws the last error. */
export async function retryUntilAvailable<T>(
  database: Database,
  { signal }: { signal: AbortSignal },
  work: (database: Database) => Promise<T>,
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
