import { expect, test } from 'vitest';
import { BrokenAnswer, ModelUnavailable } from '../../../src/agent/model/errors.ts';
import { createRetryingModel } from '../../../src/agent/model/retrying-model.ts';

const request = { instructions: '', turns: [], tools: [], cacheKey: '' };
const never = new AbortController().signal;

test('promise 9: no attempt starts after five minutes', async () => {
  let [clock, requestCount] = [0, 0];
  const ask = async () => {
    requestCount += 1;
    clock += 120_000;
    throw new BrokenAnswer('silent');
  };
  const model = createRetryingModel({ ask, model: 'gpt-test', backoffMs: 1, now: () => clock });
  await expect(model.respond(request, never)).rejects.toBeInstanceOf(ModelUnavailable);
  expect(requestCount).toBe(3);
});

test('an internal error is thrown once, without a retry', async () => {
  const outcomes: string[] = [];
  const broken = new TypeError('undefined is not a function');
  const ask = () => Promise.reject(broken);
  const onRequest = ({ outcome }: { outcome: string }) => void outcomes.push(outcome);
  const model = createRetryingModel({ ask, model: 'gpt-test', onRequest });
  await expect(model.respond(request, never)).rejects.toMatchObject({
    message: 'could not ask model gpt-test',
    cause: broken,
  });
  expect(outcomes).toEqual(['failed']);
});
