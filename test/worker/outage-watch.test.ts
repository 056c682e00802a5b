import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { realTiming } from '../../src/timing.ts';
import { createOutageWatch } from '../../src/worker/worker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fail = () => Promise.reject(new Error('away'));
const takeTime = (elapsedMs: number) => async () => vi.advanceTimersByTime(elapsedMs);

test.each([
  ['received no query', []],
  ['answered in time', [takeTime(1_900)]],
])('there is no outage when the database %s', async (_name, queries) => {
  const outages = createOutageWatch();
  for (const query of queries) await outages.watch(query);
  expect(outages.isOver()).toBe(true);
});

test.each([
  ['failed', fail],
  ['took too long to answer', takeTime(2_100)],
])(
  'after a query that %s, the outage is over once the database has answered for some seconds',
  async (_name, query) => {
    const outages = createOutageWatch();
    await outages.watch(query).catch(() => {});
    vi.advanceTimersByTime(60_000);
    expect(outages.isOver()).toBe(false);
    await outages.watch(takeTime(200));
    for (let passedMs = 0; passedMs < realTiming.claims.afterOutageMs; passedMs += 1_000) {
      expect(outages.isOver()).toBe(false);
      vi.advanceTimersByTime(1_000);
      await outages.watch(takeTime(0));
    }
    expect(outages.isOver()).toBe(true);
  },
);

test('an outage ends although every fourth answer is late', async () => {
  const outages = createOutageWatch();
  for (let second = 0; second < 20; second += 1) {
    await outages.watch(second % 4 === 0 ? takeTime(2_100) : takeTime(100));
    vi.advanceTimersByTime(1_000);
    if (outages.isOver()) return expect(second).toBeGreaterThan(5);
  }
  expect.unreachable('nothing would ever be taken over');
});
