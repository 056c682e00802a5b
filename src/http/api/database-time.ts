import { withDeadline } from '../../store/postgres/availability.ts';
import type { Database } from '../../store/postgres/database.ts';

/** Callers hear within two seconds that the database is away: after this, plus the time it takes to find out whether it is. */
const databaseTimeMs = 1_500;

/**
 * Limits the time that all queries of one request may take together. Waiting for anything else, the request's own body above all, does not
 * count. Throws `DatabaseTimeout` when the time is used up.
 */
export function createDatabaseTime(database: Database) {
  let leftMs = databaseTimeMs;
  return async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await withDeadline(database, { withinMs: leftMs }, work);
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}
