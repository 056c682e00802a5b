import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import { realTiming } from '../timing.ts';
import * as mainJob from './migrations/0001-main-job.ts';
import * as lifeOnGitHub from './migrations/0002-life-on-github.ts';
import * as steady from './migrations/0003-steady.ts';
import type { Database } from './postgres/database.ts';

/** All of them, by name, in their order. One only adds, unless its name ends in `-contract`: docs/decisions/0013-expand-then-contract.md. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-main-job': mainJob,
  '0002-life-on-github': lifeOnGitHub,
  '0003-steady': steady,
};

/**
 * Brings the tables up to date, also beside processes of the version before, which come first. Many processes may call it at once: kysely
 * holds an advisory lock while it works. Where a later version has been here, its migrations are left as they are; throws where one of them
 * took something away that this version may need.
 */
export async function migrate(
  database: Database,
  { log, signal = new AbortController().signal }: { log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  for (const deadline = performance.now() + realTiming.database.migrateForMs; ; ) {
    const later = await listLaterMigrations(database);
    assertNothingIsGone(later);
    const error = await migrateBeside(database, later);
    if (!error) {
      if (later.length > 0) log?.info({ later }, 'a later version has migrated the database');
      return;
    }
    // Another process, of a later version, was here between the two.
    if ((await listLaterMigrations(database)).length > later.length) continue;
    if (!isInTheWay(error) || performance.now() > deadline)
      throw new Error('could not migrate the database', { cause: error });
    await pause(realTiming.database.migrateRetryMs, signal);
  }
}

async function migrateBeside(database: Database, later: readonly string[]): Promise<unknown> {
  // Kysely takes an executed migration that it is not given for a damage.
  const executed = later.map((name): [string, Migration] => [name, { up: async () => {} }]);
  const provider = { getMigrations: async () => ({ ...migrations, ...Object.fromEntries(executed) }) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  return error;
}

/** The migrations that were executed here and that this version does not know. */
async function listLaterMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(database);
  if (!rows[0]?.isThere) return [];
  const { rows: executed } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return executed.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}

function assertNothingIsGone(later: readonly string[]): void {
  const contracted = later.filter((name) => name.endsWith('-contract'));
  if (contracted.length === 0) return;
  throw new Error(
    `this version is too old for the database, from which ${contracted.join(', ')} removed what it may need: ` +
      'start the version that did so, or a later one, or restore the backup that was made before',
  );
}

/** lock_not_available, deadlock_detected: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isInTheWay = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
