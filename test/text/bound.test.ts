import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bound, boundCounted, firstLine } from '../../src/text/bound.ts';

test('bound never exceeds the limit, splits no character and keeps a text that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, maxLength) => {
      const short = bound(text, maxLength);
      expect(short.length).toBeLessThanOrEqual(maxLength);
      expect(short.isWellFormed()).toBe(text.isWellFormed() || short.isWellFormed());
      if (text.length <= maxLength) expect(short).toBe(text);
      else expect(short.endsWith('…')).toBe(true);
    }),
  );
});

test.each<[string, string, number, string]>([
  ['the first of several lines', 'One.\r\nTwo.', 50, 'One.'],
  ['the first line that says something', '\n\n  One  \n', 50, 'One'],
  ['one line without its extra white space', 'a \t  b', 50, 'a b'],
  ['a long line, cut', 'abcdef', 4, 'abc…'],
  ['a text without words', ' \n ', 50, ''],
])('firstLine returns %s', (_name, text, maxLength, expected) => {
  expect(firstLine(text, maxLength)).toBe(expected);
});

test.each<[string, string, number, number, string]>([
  ['a text that fits as it is', 'abc', 3, 0, 'abc'],
  ['the beginning, and how much was cut', 'abcdef', 4, 0, 'abcd… [2 more characters]'],
  ['what was cut before, too', 'abcdef', 4, 1_000, 'abcd… [1,002 more characters]'],
  ['no half of a character', 'ab😀', 3, 0, 'ab… [2 more characters]'],
])('boundCounted returns %s', (_name, text, maxLength, more, expected) => {
  expect(boundCounted(text, maxLength, more)).toBe(expected);
});
