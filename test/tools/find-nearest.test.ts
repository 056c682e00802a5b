import { expect, test } from 'vitest';
import { findNearest } from '../../src/tools/find-nearest.ts';

const lineOf = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + from + index)).join(' ');

test('promise 7: findNearest is fast in very long files', () => {
  const target = Array.from({ length: 20 }, (_, index) => lineOf(200, index * 200)).join('\n');
  const text = Array.from({ length: 40_000 }, (_, index) => lineOf(17, (index * 13) % 4_000)).join('\n');
  const start = performance.now();
  findNearest(text, target);
  expect(performance.now() - start).toBeLessThan(1_500);
});

test.each([
  ['the line with the most words in common', 'a b c d\n\none two three\n', 'one two four', 3, ['one two three']],
  ['lines in their order', 'one\ntwo\none\nthree\n', 'one\nthree', 3, ['one', 'three']],
  ['lines around an empty one', 'one\n\ntwo\none\nx\n', 'one\n\ntwo!', 1, ['one', '', 'two']],
])('the nearest lines are %s', (_, text, target, first, lines) => {
  expect(findNearest(text, target)).toMatchObject({ first, lines });
});

test('a text without any word of the file has no nearest lines', () => {
  expect(findNearest('one\ntwo\n', 'three')).toBeUndefined();
});
