import { expect, test } from 'vitest';
import { isCrowded } from '../../../trials/faults/limits.ts';

test('a write tests the bucket only after a burst', () => {
  const list = [0, 0, 1, 1, 2, 2, 3, 60, 61, 62, 63, 64, 65, 67].map((second) => ({ at: new Date(second * 1000) }));
  expect(list.flatMap((_, index) => (isCrowded(list, index) ? [index] : []))).toEqual([6, 13]);
});
