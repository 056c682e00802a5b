import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { describe, expect, inject, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { createLog } from '../../../src/log.ts';
import { migrate, migrations } from '../../../src/store/migrate.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import { administer, inDatabase } from '../../support/databases/server.ts';
import { findNarrowing } from './find-narrowing.ts';
import { playOldProcess } from './play-old-process.ts';
import { readSchema } from './read-schema.ts';

const lines: string[] = [];
const log = createLog({
  level: 'info',
  redact: (line) => line,
  destination: { write: (line) => void lines.push(line) },
});
const names = Object.keys(migrations).toSorted();
const lastName = names.at(-1) ?? '';

/** A database with these migrations and no rows. */
async function createDatabaseAt(known: readonly string[]) {
  const { server } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const database = createDatabase({ connection: inDatabase(server, name), log });
  await execute(database, Object.fromEntries(Object.entries(migrations).filter(([key]) => known.includes(key))));
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await administer(server, `drop database ${name}`);
    },
  };
}

async function execute(database: Database, all: Record<string, Migration>): Promise<void> {
  const { error } = await new Migrator({
    db: database,
    provider: { getMigrations: async () => all },
  }).migrateToLatest();
  if (error) throw error;
}

/** What breaks for a process of the previous version during and after a migration. */
async function findHarm(database: Database, act: () => Promise<void>) {
  const before = await readSchema(database);
  const ending = new AbortController();
  let harm: string[] = [];
  const old = playOldProcess(database, before, ending.signal).catch((error) => {
    harm = [String(error)];
    return Number.POSITIVE_INFINITY;
  });
  await eventually(async () => (await hasRows(database)) || harm.length > 0 || undefined);
  await act();
  // It continues for a few rounds after the migration.
  await playOldProcess(database, before, AbortSignal.timeout(300)).catch((error) => harm.push(String(error)));
  ending.abort();
  expect(await old).toBeGreaterThan(0);
  return [...new Set([...findNarrowing(before, await readSchema(database)), ...harm])];
}

async function hasRows(database: Database): Promise<boolean> {
  const { rows } = await sql`select from installations limit 1`.execute(database);
  return rows.length > 0;
}

// A `-contract` migration removes what the previous version no longer uses; no schema shows that.
test.skipIf(lastName.endsWith('-contract'))(
  'promise 27: the last migration removes nothing that a running process of the previous version needs',
  async () => {
    await using made = await createDatabaseAt(names.slice(0, -1));
    expect(await findHarm(made.database, () => migrate(made.database))).toEqual([]);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      made.database,
    );
    expect(rows.map(({ name }) => name)).toEqual(names);
  },
);

test.each([
  ['drops a column', 'alter table jobs drop column draft', /jobs\.draft is gone/],
  ['drops a table', 'drop table watermarks', /watermarks\.name is gone/],
  ['renames a column', 'alter table runs rename column sentence to words', /runs\.sentence is gone/],
  [
    'changes a type',
    'alter table jobs alter column model type varchar(10) using left(model, 10)',
    /jobs\.model was text/,
  ],
  ['removes a default', 'alter table effects alter column tries drop default', /effects\.tries has lost/],
  [
    'wants a new column',
    `alter table watermarks add column owner text not null default ''; alter table watermarks alter column owner drop default`,
    /watermarks\.owner is new, required/,
  ],
  [
    'wants an old column',
    `lock table effects; update effects set external_id = ''; alter table effects alter column external_id set not null`,
    /effects\.external_id is required/,
  ],
  [
    'lets fewer values pass',
    `alter table effects drop constraint effects_state_check,
       add constraint effects_state_check check (state in ('intended', 'done'))`,
    /effects has a new rule: check/,
  ],
  ['checks what nobody checked', `alter table jobs add check (model <> '')`, /jobs has a new rule: check/],
  ['allows one where there were many', 'create unique index on messages (author)', /messages has a new rule: unique/],
  [
    'ties what was free',
    `lock table projects, deliveries;
       alter table deliveries add foreign key (repository_id) references projects (repository_id)`,
    /deliveries has a new rule: foreign key/,
  ],
  [
    'drops what "on conflict" names',
    'alter table messages drop constraint messages_job_id_source_key_key',
    /messages is no longer unique/,
  ],
])('the check finds a migration that %s', async (_name, statement, expected) => {
  await using made = await createDatabaseAt(names);
  const bad = { up: async (database: Database) => void (await sql.raw(statement).execute(database)) };
  const harm = await findHarm(made.database, async () => {
    // Existing rows must not stop the migration: it harms the next writes.
    await execute(made.database, { ...migrations, '9999-bad': bad });
  });
  expect(harm.join('\n')).toMatch(expected);
});

describe('a process of the previous version that starts after a later version', () => {
  async function createLater(name: string) {
    const made = await createDatabaseAt(names);
    const up = async (database: Database) => void (await sql`alter table jobs add column later text`.execute(database));
    await execute(made.database, { ...migrations, [name]: { up } });
    return made;
  }

  test('promise 27: works if the later version only added', async () => {
    await using later = await createLater('9999-later');
    await Promise.all([migrate(later.database, { log }), migrate(later.database)]);
    expect(lines.join('')).toMatch(/"later":\["9999-later"\].*a later version has migrated the database/);
    expect((await readSchema(later.database)).columns.some(({ name }) => name === 'later')).toBe(true);
  });

  test('reports what to do if the later version removed something', async () => {
    await using later = await createLater('9999-later-contract');
    await expect(migrate(later.database)).rejects.toThrow(
      'this version is too old for the database, because 9999-later-contract removed what it may need: start that version or a later one',
    );
  });
});
