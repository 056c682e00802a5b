import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findMissed, redeliverMissed } from '../../src/deliveries/redeliver-missed.ts';
import type { HookDelivery } from '../../src/github/hook-delivery.ts';
import { createLog } from '../../src/log.ts';
import { findWatermark, raiseWatermark } from '../../src/store/watermarks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLog({ level: 'silent', redact: (line) => line });
const minute = 60_000;
const day = 24 * 60 * minute;

/** One attempt; `minutesAgo` is when it was. */
const attempt = (id: number, deliveryId: string, minutesAgo: number, isSuccess = false): HookDelivery => ({
  id,
  deliveryId,
  deliveredAt: new Date(Date.now() - minutesAgo * minute),
  isSuccess,
  isRedelivery: false,
  event: 'issue_comment',
  action: 'created',
});

describe('what was missed', () => {
  test.each<[string, HookDelivery[], number[]]>([
    ['nothing', [], []],
    ['one that failed', [attempt(1, 'a', 5)], [1]],
    ['not one that arrived', [attempt(1, 'a', 5, true)], []],
    ['not one that arrived at the second try', [attempt(2, 'a', 3, true), attempt(1, 'a', 5)], []],
    ['not one that had arrived before it failed', [attempt(2, 'a', 3), attempt(1, 'a', 5, true)], []],
    ['the newest attempt of one that failed twice', [attempt(2, 'a', 3), attempt(1, 'a', 5)], [2]],
    ['the newest attempt, in whatever order they are listed', [attempt(1, 'a', 5), attempt(2, 'a', 3)], [2]],
    ['each of several, the oldest first', [attempt(3, 'c', 1), attempt(1, 'a', 9), attempt(2, 'b', 5)], [1, 2, 3]],
    [
      'those that never arrived among others',
      [attempt(4, 'b', 1), attempt(3, 'a', 2, true), attempt(2, 'b', 3), attempt(1, 'a', 4)],
      [4],
    ],
  ])('%s', (_name, attempts, ids) => {
    expect(findMissed(attempts).map(({ id }) => id)).toEqual(ids);
  });
});

describe('a round', () => {
  let made: TestDatabase;
  beforeAll(async () => {
    made = await createTestDatabase();
  });
  beforeEach(async () => {
    await made.database.deleteFrom('redeliveries').execute();
    await made.database.deleteFrom('watermarks').execute();
  });
  afterAll(() => made[Symbol.asyncDispose]());

  /** A GitHub that lists these attempts, and what it was asked. */
  function createHooks(attempts: HookDelivery[]) {
    const since: Date[] = [];
    const asked: number[] = [];
    const github = {
      async listDeliveries(wanted: { since: Date }) {
        since.push(wanted.since);
        return attempts.filter(({ deliveredAt }) => deliveredAt >= wanted.since);
      },
      redeliver: async (id: number) => void asked.push(id),
    };
    const { database } = made;
    return { since, asked, round: () => redeliverMissed({ database, github, log }, new AbortController().signal) };
  }
  const readWatermark = () => findWatermark(made.database, 'redeliver');
  /** How many minutes ago that was, whole. */
  const agoOf = (moment: Date | undefined) => Math.round((Date.now() - (moment?.getTime() ?? 0)) / minute);

  test('promise 8: asks again for all of the last three days that failed, the oldest first', async () => {
    const { round, asked, since } = createHooks([
      attempt(4, 'd', 1),
      attempt(3, 'c', 2, true),
      attempt(2, 'b', 60),
      attempt(1, 'a', 71 * 60),
      attempt(9, 'z', 73 * 60),
    ]);
    await round();
    expect(asked).toEqual([1, 2, 4]);
    expect(agoOf(since[0])).toBe((3 * day) / minute);
    expect(agoOf(await readWatermark())).toBe(0);
  });

  test('looks no further back than a little before the last round', async () => {
    await raiseWatermark(made.database, 'redeliver', new Date(Date.now() - 60 * minute));
    const { round, asked, since } = createHooks([attempt(3, 'c', 30), attempt(2, 'b', 70), attempt(1, 'a', 80)]);
    await round();
    expect(agoOf(since[0])).toBe(75);
    expect(asked).toEqual([2, 3]);
    expect(agoOf(await readWatermark())).toBe(0);
  });

  test('after a long sleep looks no further back than GitHub can deliver again', async () => {
    await raiseWatermark(made.database, 'redeliver', new Date(Date.now() - 30 * day));
    const { round, since } = createHooks([]);
    await round();
    expect(agoOf(since[0])).toBe((3 * day) / minute);
  });

  test('asks five times for one that keeps failing, and goes on with the others', async () => {
    const { round, asked } = createHooks([attempt(2, 'b', 1), attempt(1, 'a', 2)]);
    for (let times = 0; times < 4; times += 1) await round();
    await made.database.deleteFrom('redeliveries').where('delivery_id', '=', 'b').execute();
    for (let times = 0; times < 3; times += 1) await round();
    expect(asked.filter((id) => id === 1)).toHaveLength(5);
    expect(asked.filter((id) => id === 2)).toHaveLength(7);
  });

  test('what is not asked for any more keeps no other from its turn', async () => {
    const lost = Array.from({ length: 250 }, (_, index) => attempt(index + 1, `lost-${index}`, 3_000));
    const { database } = made;
    const exhausted = lost.map(({ deliveryId }) => ({ delivery_id: deliveryId, tries: 5, asked_at: new Date() }));
    await database.insertInto('redeliveries').values(exhausted).execute();
    const { round, asked } = createHooks([attempt(999, 'new', 1), ...lost]);
    await round();
    expect(asked).toEqual([999]);
  });

  test('asks for two hundred at once, and for the rest in the next round', async () => {
    const many = Array.from({ length: 250 }, (_, index) => attempt(index + 1, `many-${index}`, 3_000 - index));
    const first = createHooks(many);
    await first.round();
    expect(first.asked).toEqual(many.slice(0, 200).map(({ id }) => id));
    expect(await readWatermark()).toEqual(many[200]?.deliveredAt);

    // What was asked for has arrived meanwhile.
    const second = createHooks([...many, ...many.slice(0, 200).map((tried) => ({ ...tried, isSuccess: true }))]);
    await second.round();
    expect(second.asked).toEqual(many.slice(200).map(({ id }) => id));
    expect(agoOf(await readWatermark())).toBe(0);
  });

  test('that GitHub does not answer leaves everything for the next', async () => {
    const { database } = made;
    const before = new Date(Date.now() - 60 * minute);
    await raiseWatermark(database, 'redeliver', before);
    const github = {
      listDeliveries: async () => [attempt(1, 'a', 5)],
      redeliver: () => Promise.reject(new Error('GitHub is away')),
    };
    const { signal } = new AbortController();
    await expect(redeliverMissed({ database, github, log }, signal)).rejects.toThrow('GitHub is away');
    expect(await readWatermark()).toEqual(before);
  });
});
