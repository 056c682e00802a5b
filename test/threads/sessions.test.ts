// Real threads: what is tested is that they end and start. No process besides, so they run with the unit tests.
import { expect, onTestFinished, test } from 'vitest';
import { createThreadSessions, type OpenSession } from '../../src/threads/thread-sessions.ts';
import { ThreadOutOfMemory, ThreadTimeout } from '../../src/threads/threads.ts';
import { openCounter } from './session-state.ts';
import { openHalves } from './slow-to-load.ts';

type Request = Parameters<ReturnType<typeof openCounter>>[0];

const session = { module: import.meta.resolve('./session-state.ts'), name: openCounter.name };
const halves = { module: import.meta.resolve('./slow-to-load.ts'), name: openHalves.name };
const { signal } = new AbortController();

function open({
  sessionRequestMs = 30_000,
  longestRequestMs = 60_000,
  sessionIdleMs = 30_000,
  maxThreads = 4,
  maxHeapMb = 64,
} = {}) {
  const timing = { loadMs: 30_000, sessionRequestMs, longestRequestMs, sessionIdleMs };
  const sessions = createThreadSessions({ maxRunning: 2, maxWaiting: 10, maxThreads, maxHeapMb, timing });
  onTestFinished(sessions.close);
  const openCounterOf = (owner: string, prepare: OpenSession['prepare'] = async () => {}) =>
    sessions.open<Request>({ session, owner, prepare });
  const openHalf = (owner: string) => sessions.open({ session: halves, owner, prepare: async () => {} });
  return { sessions, openCounterOf, openHalf };
}

test('a session keeps its state between requests, and another has its own', async () => {
  const { openCounterOf } = open();
  const [one, other] = [openCounterOf('run_1'), openCounterOf('run_2')];
  expect([await one.ask(1, signal), await one.ask(1, signal), await other.ask(5, signal)]).toEqual([1, 2, 5]);
  await expect(one.ask('throw', signal)).rejects.toThrow(new TypeError('no'));
  expect(await one.ask(1, signal)).toBe(3);
});

test('promise 7: a session that hangs ends alone, and is prepared again for the next request', async () => {
  const { openCounterOf } = open();
  const one = openCounterOf('run_1', async (send) => {
    await send(100);
  });
  const other = openCounterOf('run_2');
  expect([await one.ask(1, signal), await other.ask(1, signal)]).toEqual([101, 1]);
  const hanging = new AbortController();
  const hangs = expect(one.ask('never', hanging.signal)).rejects.toThrow('enough');
  expect(await other.ask(1, signal)).toBe(2);
  hanging.abort(new Error('enough'));
  await hangs;
  expect([await one.ask(1, signal), await other.ask(1, signal)]).toEqual([101, 3]);
});

test('the time limit is for a request, not for loading the code', async () => {
  const { openHalf } = open({ sessionRequestMs: 300 });
  expect(await openHalf('run_1').ask(42, signal)).toBe(21);
});

test('promise 7: a request ends at the time limit', async () => {
  const { openCounterOf } = open({ sessionRequestMs: 100 });
  await expect(openCounterOf('run_1').ask('never', signal)).rejects.toBeInstanceOf(ThreadTimeout);
});

test('a request that waits for a processor is not ended: its own time counts', async () => {
  const { openCounterOf } = open({ sessionRequestMs: 100 });
  expect(await openCounterOf('run_1').ask('wait', signal)).toBe(0);
});

test('promise 7: a request that only waits ends by the clock', async () => {
  const { openCounterOf } = open({ longestRequestMs: 50 });
  await expect(openCounterOf('run_1').ask('wait', signal)).rejects.toBeInstanceOf(ThreadTimeout);
});

test('promise 7: a session that fills its memory ends alone', async () => {
  const { openCounterOf } = open({ maxHeapMb: 16 });
  const [one, other] = [openCounterOf('run_1'), openCounterOf('run_2')];
  expect(await other.ask(1, signal)).toBe(1);
  await expect(one.ask('fill', signal)).rejects.toBeInstanceOf(ThreadOutOfMemory);
  expect([await one.ask(1, signal), await other.ask(1, signal)]).toEqual([1, 2]);
});

test('the number of threads is bounded: the session used longest ago gives its thread up', async () => {
  const { sessions, openCounterOf } = open({ maxThreads: 2 });
  const [first, second, third] = [openCounterOf('run_1'), openCounterOf('run_2'), openCounterOf('run_3')];
  for (const each of [first, second, third]) expect(await each.ask(1, signal)).toBe(1);
  expect(sessions.countThreads()).toBe(2);
  expect([await third.ask(1, signal), await second.ask(1, signal), await first.ask(1, signal)]).toEqual([2, 2, 1]);
});

test('where no other thread may start, an emptied one of another session serves the next', async () => {
  const { openCounterOf } = open({ maxThreads: 1 });
  const [one, other] = [openCounterOf('run_1'), openCounterOf('run_2')];
  const thread = await one.ask('which thread', signal);
  expect([await one.ask(5, signal), await other.ask('which thread', signal)]).toEqual([5, thread]);
  expect([await other.ask(1, signal), await one.ask(1, signal)]).toEqual([1, 1]);
});

test('the thread of a session that is over serves the next one, and has forgotten everything', async () => {
  const { sessions, openCounterOf } = open();
  const one = openCounterOf('run_1');
  const thread = await one.ask('which thread', signal);
  await one.ask(5, signal);
  await one[Symbol.asyncDispose]();
  const next = openCounterOf('run_2');
  expect([await next.ask('which thread', signal), await next.ask(1, signal)]).toEqual([thread, 1]);
  expect(sessions.countThreads()).toBe(1);
  await next[Symbol.asyncDispose]();
  await expect(one.ask(1, signal)).rejects.toThrow('the session of run_1 is closed');
});

test('an idle thread ends, and so does one whose session is disposed', async () => {
  const { sessions, openCounterOf } = open({ sessionIdleMs: 20 });
  await openCounterOf('run_1').ask(1, signal);
  await expect.poll(sessions.countThreads, { timeout: 30_000 }).toBe(0);
  const busy = openCounterOf('run_2');
  const asked = busy.ask('never', signal);
  const refused = expect(asked).rejects.toThrow('the session of run_2 is closed');
  await busy[Symbol.asyncDispose]();
  await refused;
  await expect.poll(sessions.countThreads, { timeout: 30_000 }).toBe(0);
});

test('an aborted request ends with the reason of its signal, and what cannot be prepared with its error', async () => {
  const { openCounterOf } = open();
  const controller = new AbortController();
  const asked = openCounterOf('run_1').ask('never', controller.signal);
  controller.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  const broken = openCounterOf('run_2', () => Promise.reject(new Error('no commit')));
  await expect(broken.ask(1, signal)).rejects.toThrow('no commit');
});
