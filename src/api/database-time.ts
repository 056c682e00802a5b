import { inTime } from '../store/availability.ts';
import type { Database } from '../store/database.ts';

/** Callers hear within two seconds that the database is away: this, and what it takes to find out whether it is. */
const databaseTimeMs = 1_500;

/**
 * The time that one request has for the database, all its questions together; what it waits for beside, its own body above all, does not
 * count. Throws `DatabaseSilent` when it is used up.
 */
export function createDatabaseTime(database: Database) {
  let leftMs = databaseTimeMs;
  return async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await inTime(database, { withinMs: leftMs }, work);
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}
