import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LeaseLost } from '../../errors.ts';
import type { Tables } from '../tables/schema.ts';
import { withDeadline } from './availability.ts';

/** For as long a lost database is waited for, so that what comes after it does not look as if a worker had crashed. */
const patienceMs = 120_000;
/** A try that takes longer is given up for one on another connection. */
const tryWithinMs = 5_000;
const pauseMs = 1_000;

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
  for (const deadline = performance.now() + patienceMs; ; ) {
    try {
      return await withDeadline(database, { withinMs: tryWithinMs }, work);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted || performance.now() > deadline) throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
