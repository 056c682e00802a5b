import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { createSilentLog } from '../../../src/log.ts';
import { receiveNotifications } from '../../../src/store/postgres/notifications.ts';
import { receiveWakeUps, wakeWorkers } from '../../../src/store/schedule/workers.ts';
import { countWakeUps } from '../../support/databases/count-wake-ups.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

const log = createSilentLog();
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db[Symbol.asyncDispose]());

test('promise 2: a wake-up reaches all workers if and only if its transaction commits', async () => {
  await using notifications = receiveNotifications({ connection: db.connection, log });
  const woken: string[] = [];
  for (const name of ['first', 'second']) receiveWakeUps(notifications, name, () => void woken.push(name));
  // The connection may not listen yet.
  await eventually(async () => {
    if (woken.length > 0) return true;
    await wakeWorkers(db.database);
    // What is sent arrives before the next is sent: a late one would count below.
    await setTimeout(100);
    return woken.length > 0 || undefined;
  });
  await using counter = await countWakeUps(db.connection);
  await counter.read();
  await eventually(() => woken.length % 2 === 0 || undefined);
  woken.length = 0;

  const rolledBack = db.database.transaction().execute(async (tx) => {
    await wakeWorkers(tx);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await counter.read()).toBe(0);
  await db.database.transaction().execute((tx) => wakeWorkers(tx));
  expect(await counter.read()).toBe(1);
  await eventually(() => woken.length >= 2 || undefined);
  expect(woken).toEqual(['first', 'second']);
});
