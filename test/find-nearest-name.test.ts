import { expect, test } from 'vitest';
import { findNearestName } from '../src/find-nearest-name.ts';

test.each([
  ['mian', 'main'],
  ['mainn', 'main'],
  ['MAIN', 'main'],
  ['devleop', 'develop'],
  ['lables', 'labels'],
  ['man', 'main'],
  ['trunk', undefined],
  ['nami', undefined],
])('the branch that is meant by %s is %s', (typed, meant) => {
  expect(findNearestName(typed, ['main', 'develop', 'labels'])).toBe(meant);
});
