import { expect, test } from 'vitest';
import { waitSeconds } from '../src/retry.ts';

test('each wait is twice as long', () => {
  expect([1, 2, 3].map(waitSeconds)).toEqual([2, 4, 8]);
});
