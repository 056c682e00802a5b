import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterOutageMs, createOutageWatch } from '../../src/worker/outage-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fail = () => Promise.reject(new Error('away'));
const takeTime = (elapsedMs: number) => async () => vi.advanceTimersByTime(elapsedMs);

test.each([
  ['that never failed', []],
  ['that answered in time', [takeTime(1_900)]],
])('nothing is held back with a database %s', async (_name, asked) => {
  const watch = createOutageWatch();
  for (const ask of asked) await watch.ask(ask);
  expect(watch.isOver()).toBe(true);
});

test.each([
  ['failed', fail],
  ['took too long to answer', takeTime(2_100)],
])('an outage is over when the database has answered for some seconds since it %s', async (_name, ask) => {
  const watch = createOutageWatch();
  await watch.ask(ask).catch(() => {});
  vi.advanceTimersByTime(60_000);
  expect(watch.isOver()).toBe(false);
  await watch.ask(takeTime(200));
  for (let passedMs = 0; passedMs < afterOutageMs; passedMs += 1_000) {
    expect(watch.isOver()).toBe(false);
    vi.advanceTimersByTime(1_000);
    await watch.ask(takeTime(0));
  }
  expect(watch.isOver()).toBe(true);
});

test('a database that is late again and again is there all the same', async () => {
  const watch = createOutageWatch();
  for (let second = 0; second < 20; second += 1) {
    await watch.ask(second % 4 === 0 ? takeTime(2_100) : takeTime(100));
    vi.advanceTimersByTime(1_000);
    if (watch.isOver()) return expect(second).toBeGreaterThan(5);
  }
  expect.unreachable('nothing would ever be taken over');
});
