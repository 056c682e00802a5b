import { expect, test } from 'vitest';
import { showPlaces, showRewrite } from '../../../src/tools/output/show-places.ts';

const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join('');
const at = (line: number, length = 1) => ({ start: text.indexOf(`line ${line}\n`), length });

test.each([
  ['one place', [at(10)], '8: line 8\n9: line 9\n10: line 10\n11: line 11\n12: line 12'],
  ['places near each other', [at(2), at(3)], '1: line 1\n2: line 2\n3: line 3\n4: line 4\n5: line 5'],
  ['places apart', [at(1), at(40)], '1: line 1\n2: line 2\n3: line 3\n...\n38: line 38\n39: line 39\n40: line 40'],
  [
    'a long place',
    [at(10, 100)],
    '8: line 8\n9: line 9\n10: line 10\n11: line 11\n...\n21: line 21\n22: line 22\n23: line 23\n24: line 24',
  ],
  ['a place of nothing, where text was deleted', [at(1, 0)], '1: line 1\n2: line 2\n3: line 3'],
])('%s is shown with two lines around it', (_, places, shown) => {
  expect(showPlaces(text, places)).toBe(shown);
});

test('many places and long lines are bounded', () => {
  const long = `${'x'.repeat(5_000)}\n`.repeat(30);
  const shown = showPlaces(
    long,
    Array.from({ length: 30 }, (_, index) => ({ start: index * 5_001 + 4_000, length: 5 })),
  );
  expect(shown.length).toBeLessThan(2_500);
  expect(shown).toContain('... and 27 more places');
});

test.each([
  ['the same text', text, 'it is the same as before'],
  [
    'another line',
    text.replace('line 20\n', 'other\n'),
    'changed lines are now:\n18: line 18\n19: line 19\n20: other\n21: line 21\n22: line 22',
  ],
])('a rewrite with %s tells what changed', (_, after, shown) => {
  expect(showRewrite({ before: text, after })).toBe(shown);
});
