import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSilentLog } from '../../../src/log.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';
import { realTiming } from '../../../src/timing.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

const log = createSilentLog();
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase({ queue: 'real' });
});

afterAll(() => db[Symbol.asyncDispose]());

test('promise 8: a delivery whose handler fails is retried', async () => {
  const seen: string[] = [];
  const givenUp: string[] = [];
  await db.store.queue.work('delivery', {
    async process({ deliveryId }) {
      seen.push(deliveryId);
      if (seen.length === 1) throw new Error('not yet');
      return undefined;
    },
    giveUp: async ({ deliveryId }) => void givenUp.push(deliveryId),
  });
  await db.database.transaction().execute((tx) => db.store.queue.send(tx, 'delivery', { deliveryId: 'delivery-1' }));
  await vi.waitFor(() => expect(seen).toEqual(['delivery-1', 'delivery-1']), { timeout: 20_000, interval: 20 });
  expect(givenUp).toEqual([]);
});

test('promise 8: an entry that cannot be given up does not fail those beside it', async () => {
  await using other = await createTestDatabase({ queue: 'real' });
  const { queue } = other.store;
  for (const deliveryId of ['broken', 'good']) await queue.send(other.database, 'delivery', { deliveryId });
  await sql`update pgboss.job set retry_count = 12 where data->>'deliveryId' = 'broken'`.execute(other.database);
  await queue.work('delivery', {
    async process({ deliveryId }) {
      if (deliveryId === 'broken') throw new Error('not yet');
      return undefined;
    },
    giveUp: () => Promise.reject(new Error('the database is down')),
  });
  const read = () =>
    sql<{ state: string; retries: number }>`
      select state::text, retry_count as retries from pgboss.job where name = 'delivery' order by data->>'deliveryId'`.execute(
      other.database,
    );
  const ends = [
    { state: 'failed', retries: 12 },
    { state: 'completed', retries: 0 },
  ];
  await vi.waitFor(async () => expect((await read()).rows).toEqual(ends), { timeout: 20_000, interval: 20 });
});

test('promise 16: an entry that a stopping process no longer waits for is told so', async () => {
  const timing = { ...realTiming, shutdown: { ...realTiming.shutdown, queueDrainMs: 50 } };
  const queue = createQueue({ connection: db.connection, schema: 'stopped', log, timing });
  await queue.start();
  const begun = Promise.withResolvers<AbortSignal>();
  await queue.work('answer', {
    async process(_entry, signal) {
      begun.resolve(signal);
      await once(signal, 'abort');
      return undefined;
    },
    giveUp: async () => {},
  });
  await queue.send(db.database, 'answer', { jobId: 'job_3', key: 'run_3:comment' });
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  await queue.stop();
  expect(signal.aborted).toBe(true);
});

test('promise 16: a stop in the last try of an entry does not give it up', async () => {
  const timing = { ...realTiming, shutdown: { ...realTiming.shutdown, queueDrainMs: 50 } };
  const queue = createQueue({ connection: db.connection, schema: 'last_try', log, timing });
  await queue.start();
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const givenUp: string[] = [];
  await queue.send(db.database, 'delivery', { deliveryId: 'last' });
  await sql`update last_try.job set retry_count = 12 where name = 'delivery'`.execute(db.database);
  await queue.work('delivery', {
    async process(_entry, signal) {
      begun.resolve();
      await once(signal, 'abort');
      ended.resolve();
      signal.throwIfAborted();
      return undefined;
    },
    giveUp: async ({ deliveryId }) => void givenUp.push(deliveryId),
  });
  await begun.promise;
  await queue.stop();
  await ended.promise;
  await setImmediate();
  expect(givenUp).toEqual([]);
});

test('promise 21: an entry whose handler returns a date is processed again then', async () => {
  const seen: string[] = [];
  await db.store.queue.work('answer', {
    async process({ jobId, key }) {
      seen.push(`${jobId} ${key}`);
      return seen.length === 1 ? new Date(Date.now() + 500) : undefined;
    },
    giveUp: async () => {},
  });
  const answer = { jobId: 'job_1', key: 'run_1:comment' };
  await db.database.transaction().execute((tx) => db.store.queue.send(tx, 'answer', answer));
  const both = ['job_1 run_1:comment', 'job_1 run_1:comment'];
  await vi.waitFor(() => expect(seen).toEqual(both), { timeout: 20_000, interval: 20 });
});

test('an answer that is queued with a delay is not processed earlier', async () => {
  const answer = { jobId: 'job_1', key: 'run_2:comment' };
  await db.database.transaction().execute((tx) => db.store.queue.send(tx, 'answer', answer, { delayMs: 35_000 }));
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from start_after - created_on)::float8 as seconds
    from pgboss.job where data->>'key' = 'run_2:comment'`.execute(db.database);
  expect(rows[0]?.seconds).toBeCloseTo(35, 0);
});

test('promise 16: a queue that stopped working still accepts entries', async () => {
  const queue = createQueue({ connection: db.connection, log });
  await queue.start();
  await queue.stopWorking();
  await db.database.transaction().execute((tx) => queue.send(tx, 'answer', { jobId: 'job_2', key: 'run_2:comment' }));
  const { rows } = await sql`select from pgboss.job where name = 'answer' and data->>'jobId' = 'job_2'`.execute(
    db.database,
  );
  expect(rows).toHaveLength(1);
  await queue.stop();
});
