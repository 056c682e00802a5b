import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countAttempt, forgiveAttempts } from '../../../../src/store/tables/access/sessions.ts';
import { sweeps } from '../../../../src/store/tables/remove-old.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/databases/database.ts';

let database: TestDatabase['database'];
let opened: TestDatabase;
beforeAll(async () => {
  opened = await createTestDatabase();
  ({ database } = opened);
});
afterAll(() => opened[Symbol.asyncDispose]());

const attempt = (client: Buffer, times: number) =>
  Promise.all(Array.from({ length: times }, () => countAttempt(database, client)));

test('thirty attempts a minute may go on, however many processes count them', async () => {
  const client = randomBytes(32);
  const waits = await attempt(client, 40);
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(30);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60);
  expect(await attempt(randomBytes(32), 1)).toEqual([0]);
  await database
    .updateTable('sign_in_attempts')
    .set({ window_start: sql<Date>`now() - interval '61 seconds'` })
    .execute();
  expect(await attempt(client, 1)).toEqual([0]);
});

test('people who sign in do not count', async () => {
  const client = randomBytes(32);
  for (let person = 0; person < 20; person += 1) {
    expect(await attempt(client, 2)).toEqual([0, 0]);
    await forgiveAttempts(database, client);
  }
});

test('old attempts are forgotten', async () => {
  await attempt(randomBytes(32), 1);
  for (const sweep of sweeps) await sweep.execute(database);
  const count = () => database.selectFrom('sign_in_attempts').select('used').execute();
  expect(await count()).not.toEqual([]);
  await database.updateTable('sign_in_attempts').set({ window_start: sql<Date>`now() - interval '2 hours'` }).execute();
  for (const sweep of sweeps) await sweep.execute(database);
  expect(await count()).toEqual([]);
});
