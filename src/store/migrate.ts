import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import * as mainJob from './migrations/0001-main-job.ts';
import * as lifeOnGitHub from './migrations/0002-life-on-github.ts';
import * as steady from './migrations/0003-steady.ts';
import * as settingsThatHold from './migrations/0004-settings-that-hold.ts';
import * as compaction from './migrations/0005-compaction.ts';
import * as api from './migrations/0006-api.ts';
import * as dashboard from './migrations/0007-dashboard.ts';
import * as manyWorkers from './migrations/0008-many-workers.ts';
import * as signInAttempts from './migrations/0009-sign-in-attempts.ts';
import * as sources from './migrations/0010-sources.ts';
import * as dueProjects from './migrations/0011-due-projects.ts';
import * as context from './migrations/0012-context.ts';
import * as automations from './migrations/0013-automations.ts';
import * as checks from './migrations/0014-checks.ts';
import * as mentions from './migrations/0015-mentions.ts';
import * as verdicts from './migrations/0016-verdicts.ts';
import * as passedOccasions from './migrations/0017-passed-occasions.ts';
import * as images from './migrations/0018-images.ts';
import * as occasionsRead from './migrations/0019-occasions-read.ts';
import type { Database } from './postgres/database.ts';
import { readSchemas } from './postgres/schemas.ts';

const migrateRetryMs = 200;

/** No transaction of the previous version lives longer than half of this. */
const migrateForMs = 60_000;

/** A migration only adds, unless its name ends in `-contract`: docs/decisions/0013-expand-then-contract.md */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-main-job': mainJob,
  '0002-life-on-github': lifeOnGitHub,
  '0003-steady': steady,
  '0004-settings-that-hold': settingsThatHold,
  '0005-compaction': compaction,
  '0006-api': api,
  '0007-dashboard': dashboard,
  '0008-many-workers': manyWorkers,
  '0009-sign-in-attempts': signInAttempts,
  '0010-sources': sources,
  '0011-due-projects': dueProjects,
  '0012-context': context,
  '0013-automations': automations,
  '0014-checks': checks,
  '0015-mentions': mentions,
  '0016-verdicts': verdicts,
  '0017-passed-occasions': passedOccasions,
  '0018-images': images,
  '0019-occasions-read': occasionsRead,
};

/**
 * Safe to call in many processes at once, also while the previous version runs: its statements come first. Accepts a database that a later
 * version has migrated, unless a `-contract` removed something: then it throws.
 */
export async function migrate(
  database: Database,
  { log, signal = new AbortController().signal }: { log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  const { own: schema } = await readSchemas(database);
  for (const deadline = performance.now() + migrateForMs; ; ) {
    const later = await listLaterMigrations(database, schema);
    assertNothingRemoved(later);
    const error = await runMigrations(database, later, schema);
    if (!error) {
      if (later.length > 0) log?.info({ later }, 'a later version has migrated the database');
      return;
    }
    // A process of a later version migrated in between.
    if ((await listLaterMigrations(database, schema)).length > later.length) continue;
    if (!isLockConflict(error) || performance.now() > deadline)
      throw new Error('could not migrate the database', { cause: error });
    await pause(migrateRetryMs, signal);
  }
}

async function runMigrations(database: Database, later: readonly string[], schema: string): Promise<unknown> {
  // Kysely rejects executed migrations that it does not know.
  const executed = later.map((name): [string, Migration] => [name, { up: async () => {} }]);
  const provider = { getMigrations: async () => ({ ...migrations, ...Object.fromEntries(executed) }) };
  // Without it, Kysely takes the tables of any schema for its own.
  const { error } = await new Migrator({ db: database, provider, migrationTableSchema: schema }).migrateToLatest();
  return error;
}

async function listLaterMigrations(database: Database, schema: string): Promise<string[]> {
  const table = sql.id(schema, 'kysely_migration');
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as "isThere"`.execute(database);
  if (!rows[0]?.isThere) return [];
  const { rows: executed } = await sql<{ name: string }>`select name from ${table} order by name`.execute(database);
  return executed.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}

function assertNothingRemoved(later: readonly string[]): void {
  const contracted = later.filter((name) => name.endsWith('-contract'));
  if (contracted.length === 0) return;
  throw new Error(
    `this version is too old for the database, because ${contracted.join(', ')} removed what it may need: ` +
      'start that version or a later one, or restore the backup from before the migration',
  );
}

/** lock_not_available, deadlock_detected: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isLockConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
