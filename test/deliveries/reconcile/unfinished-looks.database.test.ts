import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { redeliverMissed } from '../../../src/deliveries/reconcile/redeliver-missed.ts';
import { GitHubRefusal } from '../../../src/github/refusals/github-refusal.ts';
import { createSilentLog } from '../../../src/log.ts';
import { recordMissedDeliveries } from '../../../src/store/tables/repositories/redeliveries.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { findWatermark } from '../../support/databases/watermark.ts';
import { attempt, createHooks } from '../create-hooks.ts';

const log = createSilentLog();
const { signal } = new AbortController();
let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of ['redeliveries', 'watermarks'] as const) await made.database.deleteFrom(table).execute();
});
afterAll(() => made[Symbol.asyncDispose]());

const agoOf = (moment: Date | undefined) => Math.round((Date.now() - (moment?.getTime() ?? 0)) / 60_000);
const sixAttempts = () => [10, 20, 60, 90, 120, 150].map((ago, index) => attempt(6 - index, `d${6 - index}`, ago));

test('promise 8: a listing that runs out of time redelivers what it found, and the next one continues below', async () => {
  const { attempts, asked, since, from, round, cutShort } = createHooks(made.database, sixAttempts());
  await cutShort(1);
  expect(asked).toEqual(['5', '6']);
  expect(await findWatermark(made.database, 'redeliver')).toBeUndefined();

  attempts.push(attempt(7, 'd7', 1));
  await round();
  expect(asked).toEqual(['5', '6', '1', '2', '3', '4', '7']);
  expect(from).toEqual([undefined, undefined, '4']);
  expect(since.map(agoOf)).toEqual([3 * 24 * 60, 25, 3 * 24 * 60]);
  expect(agoOf(await findWatermark(made.database, 'redeliver'))).toBe(1);

  await round();
  expect(since.slice(3).map(agoOf)).toEqual([16]);
});

test('promise 8: repeated listings that run out of time lose nothing', async () => {
  const { attempts, asked, round, cutShort } = createHooks(made.database, sixAttempts());
  await cutShort(2);
  for (const id of [7, 8, 9, 10]) attempts.push(attempt(id, `d${id}`, 9 - (id - 7)));
  // Among what has come since, then below it.
  await cutShort(1);
  await cutShort(2);
  await cutShort(4);
  await round();
  expect(asked.map(Number).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(agoOf(await findWatermark(made.database, 'redeliver'))).toBe(6);
});

test('a list position that GitHub no longer knows is dropped: the listing starts again', async () => {
  const { github, asked, cutShort } = createHooks(made.database, sixAttempts());
  await cutShort(1);
  const listDeliveries: typeof github.listDeliveries = (wanted) => {
    if (wanted.from !== undefined)
      throw new GitHubRefusal({ reason: 'refused', what: 'list the deliveries', words: 'no such page' });
    return github.listDeliveries(wanted);
  };
  const { database } = made;
  const round = () => redeliverMissed({ database, github: { ...github, listDeliveries }, log }, signal);
  await expect(round()).rejects.toThrow('no such page');
  await round();
  expect(asked.toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('known missed deliveries are redelivered although listing fails, which is logged', async () => {
  const { github, asked } = createHooks(made.database, []);
  const { database } = made;
  await recordMissedDeliveries(database, [{ attemptId: '1', deliveryId: 'a', failedAt: new Date() }]);
  const listDeliveries = () => {
    throw new Error('GitHub lists nothing');
  };
  const looking = redeliverMissed({ database, github: { ...github, listDeliveries }, log }, signal);
  await expect(looking).rejects.toThrow('GitHub lists nothing');
  expect(asked).toEqual(['1']);
});
