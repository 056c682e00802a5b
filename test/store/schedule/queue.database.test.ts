import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

const log = createLog({ level: 'silent', redact: (line) => line });
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase({ queue: 'real' });
});

afterAll(() => db[Symbol.asyncDispose]());

test('promise 8: a delivery whose handler fails is retried', async () => {
  const seen: string[] = [];
  const givenUp: string[] = [];
  await db.store.queue.workDeliveries({
    async process(deliveryId) {
      seen.push(deliveryId);
      if (seen.length === 1) throw new Error('not yet');
      return undefined;
    },
    giveUp: async (deliveryId) => void givenUp.push(deliveryId),
  });
  await db.database.transaction().execute((tx) => db.store.queue.sendDelivery(tx, 'delivery-1'));
  await vi.waitFor(() => expect(seen).toEqual(['delivery-1', 'delivery-1']), { timeout: 20_000, interval: 20 });
  expect(givenUp).toEqual([]);
});

test('promise 21: an entry whose handler returns a date is processed again then', async () => {
  const seen: string[] = [];
  await db.store.queue.workAnswers({
    async process({ jobId, key }) {
      seen.push(`${jobId} ${key}`);
      return seen.length === 1 ? new Date(Date.now() + 500) : undefined;
    },
    giveUp: async () => {},
  });
  const answer = { jobId: 'job_1', key: 'run_1:comment' };
  await db.database.transaction().execute((tx) => db.store.queue.sendAnswer(tx, answer));
  const both = ['job_1 run_1:comment', 'job_1 run_1:comment'];
  await vi.waitFor(() => expect(seen).toEqual(both), { timeout: 20_000, interval: 20 });
});

test('an answer that is queued with a delay is not processed earlier', async () => {
  const answer = { jobId: 'job_1', key: 'run_2:comment' };
  await db.database.transaction().execute((tx) => db.store.queue.sendAnswer(tx, answer, { delayMs: 35_000 }));
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from start_after - created_on)::float8 as seconds
    from pgboss.job where data->>'key' = 'run_2:comment'`.execute(db.database);
  expect(rows[0]?.seconds).toBeCloseTo(35, 0);
});

test('promise 16: a queue that stopped working still accepts entries', async () => {
  const queue = createQueue({ connection: db.connection, log });
  await queue.start();
  await queue.stopWorking();
  await db.database.transaction().execute((tx) => queue.sendAnswer(tx, { jobId: 'job_2', key: 'run_2:comment' }));
  const { rows } = await sql`select from pgboss.job where name = 'answer' and data->>'jobId' = 'job_2'`.execute(
    db.database,
  );
  expect(rows).toHaveLength(1);
  await queue.stop();
});
