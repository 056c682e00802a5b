import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { ConnectionLost, isDatabaseReady } from '../../../src/store/postgres/availability.ts';
import { sendTogether } from '../../../src/store/postgres/database.ts';
import { createPostgresDialect } from '../../../src/store/postgres/postgres-dialect.ts';
import { PlanLost, plannedOnce, plannedOnceRepeated } from '../../../src/store/postgres/send-statement.ts';
import type { Tables } from '../../../src/store/tables/schema.ts';
import { startDatabaseProxy } from '../../../trials/faults/processes/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { catchError } from '../../support/values/catch-error.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

describe('a lost connection', () => {
  test('promise 17: throws its own error class if it breaks during a statement', async () => {
    await using proxy = await startDatabaseProxy({ target: db.connection });
    await using pool = openPool({ connectionString: proxy.databaseUrl });
    const asked = catchError(sql`select pg_sleep(20)`.execute(pool.database));
    await eventually(isAsleep);
    await proxy.cut();
    expect(await asked).toBeInstanceOf(ConnectionLost);
    await proxy.pass();
    expect(await isDatabaseReady(pool.database)).toBe(true);
  });

  test('promise 17: throws its own error class if a statement gets no answer', async () => {
    await using pool = openPool({ ...db.connection, query_timeout: 500 });
    expect(await catchError(sql`select pg_sleep(20)`.execute(pool.database))).toBeInstanceOf(ConnectionLost);
    expect(await isDatabaseReady(pool.database)).toBe(true);
  });

  test('promise 17: throws its own error class if it breaks while it opens', async () => {
    await using server = await startHangingUp();
    await using pool = openPool({ host: '127.0.0.1', port: server.port });
    expect(await catchError(sql`select 1`.execute(pool.database))).toBeInstanceOf(ConnectionLost);
  });

  test('is not reported for a statement that cannot be encoded or a result that cannot be decoded', async () => {
    const unwritable = { toJSON: () => 1n };
    expect(await catchError(sql`select ${unwritable}`.execute(db.database))).toBeInstanceOf(TypeError);
    const types = { getTypeParser: () => unreadable };
    await using pool = openPool({ ...db.connection, types });
    expect(await catchError(sql`select 1`.execute(pool.database))).toBeInstanceOf(SyntaxError);
  });
});

describe('a transaction', () => {
  test('begins together with its first statement, and sends statements together', async () => {
    await using pool = openPool({ ...db.connection, max: 1 });
    await pool.database.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await sendTogether(tx, (tx) => [sql`select 2`.execute(tx), sql`select 3`.execute(tx)]);
    });
    const [begin] = pool.messages;
    expect(begin).toMatch(/^start transaction/);
    expect(pool.trips).toEqual([[begin, 'select 1'], ['select 2', 'select 3'], ['commit']]);
  });

  test('runs no statement after its rollback', async () => {
    await using pool = openPool({ ...db.connection, max: 1 });
    await sql`create temporary table written (number int)`.execute(pool.database);
    const broken = pool.database.transaction().execute((tx) =>
      sendTogether(tx, (tx) => [
        Promise.reject(new TypeError('not for SQL')),
        (async () => {
          await sql`insert into written values (1)`.execute(tx);
          await sql`insert into written values (2)`.execute(tx);
        })(),
      ]),
    );
    expect(await catchError(broken)).toBeInstanceOf(TypeError);
    expect((await sql`select * from written`.execute(pool.database)).rows).toEqual([]);
  });
});

describe('a statement that is planned once', () => {
  const ask = (database: Kysely<Tables>) =>
    sql`${plannedOnce} select * from asked where ${1}::int = 1`.execute(database);

  test.each([
    { name: 'a pooler has changed the server process', change: sql`deallocate all` },
    { name: 'a column was added', change: sql`alter table asked add column later int` },
  ])('is planned again after $name', async ({ change }) => {
    await using pool = openPool({ ...db.connection, max: 1 });
    await sql`create temporary table asked (first int)`.execute(pool.database);
    const { length } = pool.messages;
    await ask(pool.database);
    await ask(pool.database);
    const { rows: kept } = await sql`select from pg_prepared_statements`.execute(pool.database);
    expect(kept).toHaveLength(1);
    expect(pool.messages).toHaveLength(length + 3);
    await change.execute(pool.database);
    await pool.database.transaction().execute(ask);
    await ask(pool.database);
  });

  test('in a transaction that its caller repeats, it is planned once, too', async () => {
    await using pool = openPool({ ...db.connection, max: 1 });
    const repeat = () =>
      pool.database.transaction().execute((tx) => sql`${plannedOnceRepeated} select 1 where ${1}::int = 1`.execute(tx));
    await repeat();
    await repeat();
    const { rows } = await sql`select from pg_prepared_statements`.execute(pool.database);
    expect(rows).toHaveLength(1);
    await sql`deallocate all`.execute(pool.database);
    expect(await catchError(repeat())).toBeInstanceOf(PlanLost);
    expect((await repeat()).rows).toHaveLength(1);
  });
});

const unreadable = () => {
  throw new SyntaxError('unreadable');
};

function openPool(options: pg.PoolConfig) {
  const pool = new pg.Pool({ ...options, pipeline: true });
  const messages: unknown[] = [];
  /** What was sent without waiting for an answer. */
  const trips: unknown[][] = [];
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const { query } = client;
    let trip: unknown[] | undefined;
    Object.assign(client, {
      query(...args: unknown[]): unknown {
        messages.push(args[0]);
        const current = trip;
        if (current) current.push(args[0]);
        const answering: unknown = Reflect.apply(query, client, args);
        if (current || !(answering instanceof Promise)) return answering;
        trip = [args[0]];
        trips.push(trip);
        const end = () => {
          trip = undefined;
        };
        answering.then(end, end);
        return answering;
      },
    });
  });
  const database = new Kysely<Tables>({ dialect: createPostgresDialect({ pool }) });
  return { database, messages, trips, [Symbol.asyncDispose]: () => database.destroy() };
}

/** A server that accepts connections and closes them at the first request, like a pooler that restarts. */
async function startHangingUp() {
  const server = createServer((socket) => socket.once('data', () => socket.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')) };
}

async function isAsleep() {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`.execute(db.database);
  return rows.length > 0 || undefined;
}
