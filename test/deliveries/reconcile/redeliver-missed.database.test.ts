import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { redeliverMissed } from '../../../src/deliveries/reconcile/redeliver-missed.ts';
import type { HookDelivery } from '../../../src/github/calls/delivery-calls.ts';
import { createSilentLog } from '../../../src/log.ts';
import { insertDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import { raiseWatermark } from '../../../src/store/tables/repositories/watermarks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { findWatermark } from '../../support/databases/watermark.ts';
import { attempt, createHooks as createDeliveringHooks } from '../create-hooks.ts';

const log = createSilentLog();
const { signal } = new AbortController();
const minute = 60_000;
const day = 24 * 60 * minute;

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of ['redeliveries', 'watermarks', 'deliveries'] as const)
    await made.database.deleteFrom(table).execute();
});
afterAll(() => made[Symbol.asyncDispose]());

const createHooks = (attempts: HookDelivery[]) => createDeliveringHooks(made.database, attempts);
const readWatermark = () => findWatermark(made.database, 'redeliver');
/** How many minutes ago that was, whole. */
const agoOf = (moment: Date | undefined) => Math.round((Date.now() - (moment?.getTime() ?? 0)) / minute);
/** Stands for the passing of so many minutes. */
const pass = (minutes: number) =>
  sql`update redeliveries set asked_at = asked_at - ${minutes} * interval '1 minute',
    due_at = due_at - ${minutes} * interval '1 minute'`.execute(made.database);
const store = (deliveryId: string) =>
  insertDelivery(made.database, {
    delivery_id: deliveryId,
    event: 'issue_comment',
    action: 'created',
    repository_id: 1,
    fields: '{}',
  });

test('promise 8: a round redelivers all failures of the last three days, oldest first', async () => {
  const { round, asked, since } = createHooks([
    attempt(4, 'd', 1),
    attempt(3, 'b', 3),
    attempt(2, 'b', 60),
    attempt(1, 'a', 71 * 60),
    attempt(9, 'z', 73 * 60),
  ]);
  await round();
  expect(asked).toEqual(['1', '3', '4']);
  expect(agoOf(since[0])).toBe((3 * day) / minute);
  expect(agoOf(await readWatermark())).toBe(1);
});

test('promise 8: a delivery that arrived after its failure is not redelivered', async () => {
  const { round, asked } = createHooks([attempt(2, 'b', 1), attempt(1, 'a', 2)]);
  await store('a');
  await round();
  expect(asked).toEqual(['2']);
});

test('promise 8: a delivery that has succeeded, even later, is not redelivered and advances the watermark', async () => {
  const { round, asked } = createHooks([
    { ...attempt(4, 'b', 1), isSuccess: true },
    attempt(3, 'c', 2),
    { ...attempt(2, 'a', 3), isSuccess: true },
    attempt(1, 'a', 20),
  ]);
  await round();
  expect(asked).toEqual(['3']);
  expect(agoOf(await readWatermark())).toBe(1);
});

test('promise 8: during a three-day outage, redeliveries are requested less and less often, to the end', async () => {
  const hooks = createHooks([attempt(1, 'a', 70 * 60)]);
  const [first] = hooks.attempts;
  const moments: number[] = [];
  for (let minutes = 0; minutes <= 3 * 24 * 60; minutes += 20) {
    const before = hooks.asked.length;
    await hooks.round();
    // A process that starts in between looks as well.
    await hooks.round();
    if (hooks.asked.length > before && first) {
      moments.push(minutes);
      const deliveredAt = new Date(first.deliveredAt.getTime() + minutes * minute + 1_000);
      hooks.attempts.push({ ...first, attemptId: String(minutes + 2), deliveredAt });
    }
    await pass(20);
  }
  const sixHours = Array.from({ length: 10 }, (_, index) => 620 + (index + 1) * 360);
  expect(moments).toEqual([0, 20, 60, 140, 300, 620, ...sixHours]);
  expect(hooks.asked.slice(0, 3)).toEqual(['1', '2', '22']);
});

test('a redelivered webhook that is dropped is requested once', async () => {
  const { round, asked } = createHooks([attempt(1, 'a', 5)]);
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await round();
    await pass(day / minute);
  }
  expect(asked).toEqual(['1']);
});

test('promise 8: an advanced watermark does not skip missed deliveries', async () => {
  const lost = attempt(1, 'lost', 2 * 24 * 60);
  const { round, asked, attempts, since } = createHooks([lost]);
  await round();
  attempts.push({ ...lost, attemptId: '2', deliveredAt: new Date(lost.deliveredAt.getTime() + 10 * minute) });
  await round();
  attempts.push(attempt(3, 'new', 1));
  await round();
  await round();
  expect(asked).toEqual(['1', '3']);
  expect(agoOf(since[3])).toBe(16);
  await pass(20);
  await round();
  expect(asked).toEqual(['1', '3', '2']);
});

test('a round lists back to shortly before the newest attempt of the last round', async () => {
  await raiseWatermark(made.database, 'redeliver', new Date(Date.now() - 60 * minute));
  const { round, asked, since } = createHooks([attempt(3, 'c', 30), attempt(2, 'b', 70), attempt(1, 'a', 80)]);
  await round();
  expect(agoOf(since[0])).toBe(75);
  expect(asked).toEqual(['2', '3']);
  expect(agoOf(await readWatermark())).toBe(30);
});

test('after a long downtime, a round lists no further back than GitHub can redeliver', async () => {
  await raiseWatermark(made.database, 'redeliver', new Date(Date.now() - 30 * day));
  const { round, since } = createHooks([]);
  await round();
  expect(agoOf(since[0])).toBe((3 * day) / minute);
});

test('a round redelivers at most two hundred, and the next round the rest', async () => {
  const many = Array.from({ length: 250 }, (_, index) => attempt(index + 1, `many-${index}`, 3_000 - index));
  const { round, asked } = createHooks(many);
  await round();
  expect(asked).toEqual(many.slice(0, 200).map(({ attemptId }) => attemptId));
  await round();
  expect(asked).toEqual(many.map(({ attemptId }) => attemptId));
});

test('a redelivery that GitHub fails is retried later and does not block others', async () => {
  const { github, asked, round } = createHooks([attempt(2, 'b', 1), attempt(1, 'a', 5)]);
  const { database } = made;
  const redeliver = () => Promise.reject(new Error('GitHub is away'));
  const choked = redeliverMissed({ database, github: { ...github, redeliver }, log }, signal);
  await expect(choked).rejects.toThrow('GitHub is away');
  await round();
  expect(asked).toEqual(['2']);
  await pass(20);
  await round();
  expect(asked).toEqual(['2', '1']);
});
