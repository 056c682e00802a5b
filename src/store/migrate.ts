import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Database } from './database.ts';
import * as mainJob from './migrations/0001-main-job.ts';
import * as lifeOnGitHub from './migrations/0002-life-on-github.ts';
import * as steady from './migrations/0003-steady.ts';

/** For so long processes of the version before are asked to make room; no transaction of theirs lives longer than half of it. */
const patienceMs = 60_000;
const pauseMs = 200;

/**
 * Brings the tables up to date, also beside processes of the version before, which come first. Many processes may call it at once: kysely
 * holds an advisory lock while it works.
 */
export async function migrate(
  database: Database,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: async () => ({
        '0001-main-job': mainJob,
        '0002-life-on-github': lifeOnGitHub,
        '0003-steady': steady,
      }),
    },
  });
  for (const deadline = performance.now() + patienceMs; ; ) {
    const { error } = await migrator.migrateToLatest();
    if (!error) return;
    if (!isInTheWay(error) || performance.now() > deadline)
      throw new Error('could not migrate the database', { cause: error });
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** lock_not_available, deadlock_detected: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isInTheWay = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
