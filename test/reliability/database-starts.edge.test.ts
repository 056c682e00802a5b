import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, inject, test } from 'vitest';
import { startInWorld } from '../../harness/start-service.ts';
import { toUrl } from '../../harness/world.ts';
import { createSilentLog } from '../../src/log.ts';
import { migrations } from '../../src/store/migrate.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { playOldProcess } from '../store/migrations/play-old-process.ts';
import { readSchema } from '../store/migrations/read-schema.ts';
import { administer, inDatabase } from '../support/databases/server.ts';
import { createWorld } from '../support/worlds/world.ts';

const names = Object.keys(migrations).toSorted();
const troubles = /"level":"?(error|fatal|50|60)|deadlock|40P01/;

/** A database that no service has seen, brought to these migrations. */
async function createDatabaseAt(known: readonly string[]) {
  const { server } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const connection = inDatabase(server, name);
  const database = createDatabase({ connection, log: createSilentLog() });
  const own = Object.fromEntries(Object.entries(migrations).filter(([key]) => known.includes(key)));
  await new Migrator({ db: database, provider: { getMigrations: async () => own } }).migrateToLatest();
  return {
    database,
    url: toUrl(connection),
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

test('promise 27: 4 services start at once on a database of the previous version, beside a process of that version, and no caller gets an error', async () => {
  await using world = await createWorld({ script: () => ({ text: 'Nothing needs to change.' }) });
  await using made = await createDatabaseAt(names.slice(0, -1));
  const ending = new AbortController();
  const old = playOldProcess(made.database, await readSchema(made.database), ending.signal);
  const starting = Array.from({ length: 4 }, () => startInWorld(world, { DATABASE_URL: made.url }));
  const services = await Promise.all(starting);
  ending.abort();
  try {
    expect(await old).not.toBe(0);
    const lines = services.flatMap((service) => [...service.lines]);
    // The rows of the old process hold no job that a webhook could tell of.
    const own = lines.filter((line) => !line.includes('could not prepare a webhook'));
    expect(own.filter((line) => troubles.test(line))).toEqual([]);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      made.database,
    );
    expect(rows.map(({ name }) => name)).toEqual(names);
  } finally {
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
  }
});
