import { expect, test } from 'vitest';
import { findNearestLines } from '../../../src/tools/edits/find-nearest.ts';

test.each([
  ['the line with the most words in common', 'a b c d\n\none two three\n', 'one two four', 3, ['one two three']],
  ['lines in their order', 'one\ntwo\none\nthree\n', 'one\nthree', 3, ['one', 'three']],
  ['lines around an empty one', 'one\n\ntwo\none\nx\n', 'one\n\ntwo!', 1, ['one', '', 'two']],
])('the nearest lines are %s', (_, text, target, first, lines) => {
  expect(findNearestLines(text, target)).toMatchObject({ first, lines });
});

test('a text without any word of the file has no nearest lines', () => {
  expect(findNearestLines('one\ntwo\n', 'three')).toBeUndefined();
});
