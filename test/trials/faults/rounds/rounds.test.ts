import { expect, test } from 'vitest';
import { isOfQueue } from '../../../../trials/faults/rounds/rounds.ts';

test.each([
  ['before give answer 1', true],
  ['after record given answer 2', true],
  ['before store answer 1', false],
  ['after ask model 1', false],
  ['before record comment 1', false],
])('whether %s is a point of what is answered from the queue: %s', (point, isAnswered) => {
  expect(isOfQueue(point)).toBe(isAnswered);
});
