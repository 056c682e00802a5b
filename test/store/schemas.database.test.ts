import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { toUrl } from '../../harness/world.ts';
import { createSilentLog } from '../../src/log.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import type { Connection } from '../../src/store/postgres/database.ts';
import { createQueue } from '../../src/store/schedule/queue.ts';
import { listUnqueuedDeliveries } from '../../src/store/schedule/unqueued.ts';
import { insertDelivery } from '../../src/store/tables/repositories/deliveries.ts';
import { administer, inDatabase } from '../support/databases/server.ts';
import { catchError } from '../support/values/catch-error.ts';

const log = createSilentLog();
const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
const { server } = inject('postgres');
const connection: Connection = inDatabase(server, name);
beforeAll(() => administer(server, `create database ${name}`));
afterAll(() => administer(server, `drop database ${name} with (force)`));

/** As a service starts; `searchPath` is in the URL, as an operator writes it. */
async function openInstallation(searchPath: string | null) {
  await using cleanup = new AsyncDisposableStack();
  const url = new URL(toUrl(connection));
  if (searchPath !== null) url.searchParams.set('options', `-c search_path=${searchPath}`);
  const { signal } = new AbortController();
  const opened = await openDatabase({ databaseUrl: url.href, dataDir: '', log, signal, max: 2 }, cleanup);
  const queue = createQueue({ connection: opened.connection, schema: opened.queueSchema, log });
  cleanup.defer(() => queue.stop());
  await queue.start();
  const held = cleanup.move();
  return { ...opened, queue, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const delivery = (deliveryId: string) => ({
  delivery_id: deliveryId,
  event: 'push',
  action: null,
  repository_id: null,
  fields: '{}',
  received_at: new Date(Date.now() - 3 * 3600_000),
});

test('two installations share a database, each in a schema of its own', async () => {
  await administer(connection, 'create schema other');
  await using first = await openInstallation(null);
  await using second = await openInstallation('other');
  await insertDelivery(first.database, delivery('of-first'));
  await insertDelivery(second.database, delivery('of-second'));
  await second.queue.send(second.database, 'delivery', { deliveryId: 'of-second' });

  const { rows } = await sql<{ place: string }>`
    select schemaname || '.' || tablename as place from pg_tables where tablename in ('jobs', 'kysely_migration', 'job')
    order by 1`.execute(first.database);
  expect(rows.map(({ place }) => place)).toEqual([
    ...['other.jobs', 'other.kysely_migration', 'other_pgboss.job'],
    ...['pgboss.job', 'public.jobs', 'public.kysely_migration'],
  ]);
  expect((await listUnqueuedDeliveries(first)).map(({ deliveryId }) => deliveryId)).toEqual(['of-first']);
  expect(await listUnqueuedDeliveries(second)).toEqual([]);
});

test('an entry of the queue reaches the installation that sent it, and no other', async () => {
  await administer(connection, 'create schema third');
  await using first = await openInstallation(null);
  await using third = await openInstallation('third');
  const processed: string[] = [];
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const work = (installation: string, then = () => {}) => ({
    process: async ({ deliveryId }: { deliveryId: string }) => {
      processed.push(`${installation}: ${deliveryId}`);
      then();
      return undefined;
    },
    giveUp: async () => {},
  });
  await first.queue.work('delivery', work('first'));
  await third.queue.work('delivery', work('third', resolve));
  await third.queue.send(third.database, 'delivery', { deliveryId: 'for-third' });
  await arrived;
  expect(processed).toEqual(['third: for-third']);
});

test.each([
  ['that is missing', 'nowhere', null, /no schema of search_path \(nowhere\) exists: create it/],
  ['before that of the tables', 'fresh,public', 'fresh', /the tables are in schema public.*puts schema fresh first/],
  ['with a name of capitals', '"Fresh"', '"Fresh"', /schema Fresh cannot be used: its name needs lower-case letters/],
])('a schema %s is refused, with what to do', async (_name, searchPath, created, reason) => {
  await using first = await openInstallation(null);
  if (created !== null) await sql`create schema ${sql.raw(created)}`.execute(first.database);
  expect(String(await catchError(openInstallation(searchPath)))).toMatch(reason);
});
