import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createSilentLog } from '../../../src/log.ts';
import { migrate, migrations } from '../../../src/store/migrate.ts';
import {
  ConnectionLost,
  DatabaseTimeout,
  isDatabaseReady,
  isDatabaseUnavailable,
  readWithDeadline,
} from '../../../src/store/postgres/availability.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import { insertRun } from '../../../src/store/tables/jobs/runs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { administer, inDatabase } from '../../support/databases/server.ts';
import { catchError } from '../../support/values/catch-error.ts';

const log = createSilentLog();
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db[Symbol.asyncDispose]());

const killOwnConnection = sql`select pg_terminate_backend(pg_backend_pid())`;

describe('a lost connection', () => {
  test('promise 17: ends its transaction and nothing else', async () => {
    const error = await catchError(db.database.transaction().execute((tx) => killOwnConnection.execute(tx)));
    expect(error).toBeInstanceOf(pg.DatabaseError);
    expect(error).toMatchObject({ code: '57P01' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await isDatabaseReady(db.database)).toBe(true);
  });

  test('promise 17: fails the next statement of its transaction', async () => {
    const { promise: isOpen, resolve: tell } = Promise.withResolvers<number>();
    const { promise: isKilled, resolve: goOn } = Promise.withResolvers<void>();
    const transaction = catchError(
      db.database.transaction().execute(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        tell(rows[0]?.pid ?? 0);
        await isKilled;
        await sql`select 1`.execute(tx);
      }),
    );
    const pid = await isOpen;
    await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db.database);
    // When this query is answered, the first connection knows of its end.
    expect(await isDatabaseReady(db.database)).toBe(true);
    goOn();
    expect(isDatabaseUnavailable(await transaction)).toBe(true);
    expect(await isDatabaseReady(db.database)).toBe(true);
  });

  test('promise 17: is replaced if it was idle', async () => {
    await sql`select 1`.execute(db.database);
    await db.setReachable(false);
    expect(await isDatabaseReady(db.database)).toBe(false);
    await db.setReachable(true);
    expect(await isDatabaseReady(db.database)).toBe(true);
  });
});

test('a transaction throws the error that caused its rollback', async () => {
  const error = new Error('the reason');
  const transaction = db.database.transaction().execute(async (tx) => {
    await killOwnConnection.execute(tx).catch(() => {});
    throw error;
  });
  await expect(transaction).rejects.toBe(error);
});

test('promise 16: closing the database does not wait for connections in use', async () => {
  const database = createDatabase({ connection: db.connection, log });
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
  const asked = database
    .transaction()
    .execute(async (tx) => {
      await sql`select 1`.execute(tx);
      opened();
      await sql`select pg_sleep(20)`.execute(tx);
    })
    .catch((error: unknown) => error);
  await isOpen;
  const startedAt = performance.now();
  await database.destroy();
  expect(await asked).toBeInstanceOf(Error);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a read times out after two seconds', async () => {
  expect(await readWithDeadline(Promise.resolve(7))).toBe(7);
  await expect(readWithDeadline(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(readWithDeadline(new Promise(() => {}))).rejects.toBeInstanceOf(DatabaseTimeout);
});

const withCode = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });
test.each([
  ['refused', Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }), true],
  ['refused on every address', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), true],
  ['silent', new DatabaseTimeout('x'), true],
  ['gone with the connection', new ConnectionLost('x'), true],
  ['too many connections', withCode('53300'), true],
  ['shutting down', withCode('57P01'), true],
  ['starting', withCode('57P03'), true],
  ['a deadlock', withCode('40P01'), true],
  ['read-only', withCode('25006'), true],
  ['a unique index', withCode('23505'), false],
  ['a full local disk', Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write' }), false],
  ['a local file', Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open' }), false],
  ['a syntax error', withCode('42601'), false],
  ['bad UTF-8', withCode('22021'), false],
  ['an error of ours', new Error('could not x'), false],
  ['no error at all', 'x', false],
])('whether an error means that the database is unavailable: %s', (_name, error, expected) => {
  expect(isDatabaseUnavailable(error)).toBe(expected);
});

test('bigints are read as numbers', async () => {
  const { rows } = await sql<{ id: unknown }>`select 9007199254740991::bigint as id`.execute(db.database);
  expect(rows[0]?.id).toBe(Number.MAX_SAFE_INTEGER);
});

/** An empty database with a pool for each process. */
async function createEmptyDatabase() {
  const { server } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const connection = inDatabase(server, name);
  const databases: Database[] = [];
  return {
    open(max: number) {
      const database = createDatabase({ connection, log, max });
      databases.push(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.destroy()));
      await administer(server, `drop database ${name}`);
    },
  };
}

test('promise 27: many processes migrate an empty database concurrently', async () => {
  await using empty = await createEmptyDatabase();
  const database = empty.open(1);
  const databases = [database, ...Array.from({ length: 4 }, () => empty.open(1))];
  await Promise.all(databases.map((each) => migrate(each)));
  await Promise.all(databases.map((each) => migrate(each)));
  const { rows } = await sql`select from kysely_migration`.execute(database);
  expect(rows).toHaveLength(Object.keys(migrations).length);
});

describe('a process of the previous version', () => {
  /** Its tables with one job. */
  async function createOlder() {
    const empty = await createEmptyDatabase();
    const database = empty.open(10);
    const first = Object.fromEntries(Object.entries(migrations).slice(0, 1));
    await new Migrator({ db: database, provider: { getMigrations: async () => first } }).migrateToLatest();
    await sql`insert into installations (installation_id, account) values (1, 'acme')`.execute(database);
    await sql`insert into projects (project_id, repository_id, installation_id, owner, repo, default_branch)
      values ('prj_1', 1, 1, 'acme', 'docs', 'main')`.execute(database);
    await sql`insert into jobs (job_id, project_id, status, base, model, draft)
      values ('job_1', 'prj_1', 'completed', 'main', 'gpt-5', false)`.execute(database);
    await sql`insert into deliveries (delivery_id, event, fields) values ('d-1', 'push', '{}')`.execute(database);
    return { database, [Symbol.asyncDispose]: () => empty[Symbol.asyncDispose]() };
  }

  const lockRow = (tx: Database, table: string) => sql`select from ${sql.table(table)} for update`.execute(tx);
  /** Resolves when the migration waits for a locked table. */
  const isWaiting = (database: Database) =>
    eventually(async () => {
      const { rows } = await sql`select from pg_locks
        where mode = 'AccessExclusiveLock' and not granted and database is not null`.execute(database);
      return rows.length > 0 || undefined;
    });

  test.each([
    ['deliveries', 'jobs'],
    ['jobs', 'deliveries'],
    ['projects', 'jobs'],
    ['jobs', 'projects'],
  ])('promise 27: that locks a row of %s and then one of %s goes before the migration', async (first, second) => {
    await using older = await createOlder();
    const { database } = older;
    const { migrated } = await database.transaction().execute(async (tx) => {
      await lockRow(tx, first);
      const begun = migrate(database);
      await isWaiting(database);
      await lockRow(tx, second);
      return { migrated: begun };
    });
    await migrated;
    const { rows } = await sql`select from kysely_migration`.execute(database);
    expect(rows).toHaveLength(Object.keys(migrations).length);
  });

  test('delays the migration no longer than the signal allows', async () => {
    await using older = await createOlder();
    const { database } = older;
    const stopping = new AbortController();
    await database.transaction().execute(async (tx) => {
      await lockRow(tx, 'jobs');
      const migrated = catchError(migrate(database, { signal: stopping.signal }));
      await isWaiting(database);
      stopping.abort(new Error('stopped'));
      expect(await migrated).toMatchObject({ message: 'stopped' });
    });
  });
});

test('promise 3: a job has at most one open run', async () => {
  const { projectId } = await createProject(db.database);
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  await insertRun(db.database, jobId);
  await expect(insertRun(db.database, jobId)).rejects.toMatchObject({ code: '23505' });
});
