import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UnusableAnswer } from '../../../src/github/client/failed-request.ts';
import { retryRead } from '../../../src/github/client/octokit.ts';

test('an abort ends the pause before the next try, with its reason', async () => {
  const reason = new Error('the lease is lost');
  const controller = new AbortController();
  let tries = 0;
  const read = retryRead({
    request: async () => {
      tries += 1;
      throw new UnusableAnswer('cut off');
    },
    delaysMs: [3_600_000],
    withinMs: Number.POSITIVE_INFINITY,
    isTokenYoung: () => false,
    signal: controller.signal,
  });
  // By now the first try has failed and the pause has begun.
  await setImmediate();
  controller.abort(reason);
  await expect(read).rejects.toBe(reason);
  expect(tries).toBe(1);
});

test('an internal error is not retried', async () => {
  const bug = new TypeError('x is not a function');
  let tries = 0;
  const read = retryRead({
    request: async () => {
      tries += 1;
      throw bug;
    },
    delaysMs: [0, 0],
    isTokenYoung: () => false,
    signal: new AbortController().signal,
  });
  await expect(read).rejects.toBe(bug);
  expect(tries).toBe(1);
});

test('a read that failed late is not retried', async () => {
  const lost = new UnusableAnswer('cut off');
  let tries = 0;
  const read = retryRead({
    request: async () => {
      tries += 1;
      throw lost;
    },
    delaysMs: [1],
    withinMs: 0,
    isTokenYoung: () => false,
    signal: new AbortController().signal,
  });
  await expect(read).rejects.toBe(lost);
  expect(tries).toBe(1);
});
