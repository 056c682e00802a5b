import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UnusableAnswer } from '../../../src/github/client/failed-request.ts';
import { retryRead } from '../../../src/github/client/octokit.ts';

/** A read whose request always fails. */
function read(error: Error, times: { delaysMs: number[]; withinMs?: number }, { signal } = new AbortController()) {
  const tries: number[] = [];
  const request = async () => {
    tries.push(tries.length);
    throw error;
  };
  return { tries, failed: retryRead({ request, ...times, isTokenYoung: () => false, signal }) };
}

test('an abort ends the pause before the next try, with its reason', async () => {
  const reason = new Error('the lease is lost');
  const controller = new AbortController();
  const times = { delaysMs: [3_600_000], withinMs: Number.POSITIVE_INFINITY };
  const { failed, tries } = read(new UnusableAnswer('cut off'), times, controller);
  // By now the first try has failed and the pause has begun.
  await setImmediate();
  controller.abort(reason);
  await expect(failed).rejects.toBe(reason);
  expect(tries).toHaveLength(1);
});

test.each([
  ['an internal error', new TypeError('x is not a function'), { delaysMs: [0, 0] }],
  ['a read that failed late', new UnusableAnswer('cut off'), { delaysMs: [1], withinMs: 0 }],
])('%s is not retried', async (_name, error, times) => {
  const { failed, tries } = read(error, times);
  await expect(failed).rejects.toBe(error);
  expect(tries).toHaveLength(1);
});
