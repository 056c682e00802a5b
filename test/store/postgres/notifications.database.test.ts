import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSilentLog } from '../../../src/log.ts';
import { receiveNotifications } from '../../../src/store/postgres/notifications.ts';
import { jobChannel, signalJob } from '../../../src/store/schedule/workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

const log = createSilentLog();
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db[Symbol.asyncDispose]());

test('promise 14: a signal reaches its listener on commit, also after a lost connection', async () => {
  const heard: string[] = [];
  await using notifications = receiveNotifications({ connection: db.connection, log });
  notifications.on(jobChannel, (jobId) => void heard.push(jobId));
  const signal = (jobId: string) => db.database.transaction().execute((tx) => signalJob(tx, jobId));
  const hears = (jobId: string) =>
    vi.waitFor(
      async () => {
        await signal(jobId);
        expect(heard).toContain(jobId);
      },
      { timeout: 10_000, interval: 50 },
    );
  await hears('job_1');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db.database);
  await hears('job_2');
});
