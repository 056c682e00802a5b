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
])('an outage is over some seconds after the database last %s', async (_name, ask) => {
  const watch = createOutageWatch();
  await watch.ask(ask).catch(() => {});
  vi.advanceTimersByTime(afterOutageMs - 100);
  expect(watch.isOver()).toBe(false);
  await watch.ask(takeTime(200));
  expect(watch.isOver()).toBe(true);
});
