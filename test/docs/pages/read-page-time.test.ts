import { expect, test } from 'vitest';
import { readPage } from '../../../src/docs/pages/read-page.ts';

const measure = (text: string) => {
  const { user } = process.cpuUsage();
  readPage(text, { isMdx: true });
  return process.cpuUsage().user - user;
};

// Twice as long would take four times as long in quadratic time: here a factor of eight would be 64.
test.each([
  '[\n',
  '<!--',
  '{/*x',
  '<include',
  '# a [#',
  'import \n',
  'a\n---\n',
  `${'a '.repeat(5_000)}\n`,
  '{ #',
  '<a b="',
])('promise 7: a page of nothing but %j is read in linear time', (piece) => {
  const short = piece.repeat(Math.ceil(20_000 / piece.length));
  measure(short);
  const least = Math.min(...[1, 2, 3].map(() => measure(short)));
  const long = Math.min(...[1, 2, 3].map(() => measure(short.repeat(8))));
  expect(long / Math.max(least, 2_000)).toBeLessThan(30);
});
