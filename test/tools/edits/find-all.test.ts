import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findAll } from '../../../src/tools/edits/find-nearest.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F600}'), maxLength: 60 });

test('findAll finds what indexOf finds', () => {
  fc.assert(
    fc.property(text, text, (haystack, target) => {
      const places: number[] = [];
      if (target !== '') {
        for (let at = haystack.indexOf(target); at !== -1; at = haystack.indexOf(target, at + target.length)) {
          places.push(at);
        }
      }
      expect(findAll(haystack, target)).toEqual(places);
    }),
    { numRuns: 2_000 },
  );
});

const half = 'a'.repeat(5_000);

test.each([
  ['a near miss in the middle', 'a'.repeat(100_000), `${half}b${half}`],
  ['a near miss at the end', 'a'.repeat(100_000), `${half}b`],
  ['a text that nearly repeats', 'ab'.repeat(50_000), `${'ab'.repeat(5_000)}b`],
  ['hits', 'a'.repeat(100_000), 'a'],
])('promise 7: findAll takes steps in proportion to both texts: %s', (_, haystack, target) => {
  let steps = 0;
  findAll(haystack, target, () => {
    steps += 1;
  });
  expect(steps).toBeLessThanOrEqual(2 * (haystack.length + target.length));
});
