import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markWords } from '../../../src/http/dashboard/jobs/changes/mark-words.ts';
import { renderLines } from '../../../src/http/dashboard/jobs/changes/render-lines.ts';

test.each([
  ['a number', 'send 60 requests', 'send 100 requests', ['send ', '60', ' requests'], ['send ', '100', ' requests']],
  ['the end', 'wait a minute.', 'wait an hour.', ['wait ', 'a minute', '.'], ['wait ', 'an hour', '.']],
  ['an addition', 'one two', 'one big two', ['one ', '', 'two'], ['one ', 'big ', 'two']],
  ['an emoji', 'so 😀 it is', 'so 😃 it is', ['so ', '😀', ' it is'], ['so ', '😃', ' it is']],
])('%s that changed is marked in whole words', (_what, before, after, ...marked) => {
  expect(markWords(before, after)).toEqual(marked);
});

test('lines that have little in common are not marked', () => {
  expect(markWords('Each key may send requests.', 'There is no limit!')).toBeUndefined();
});

test('the parts of a marked line are the line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      const [before, after] = markWords(one, other) ?? [[one], [other]];
      expect([before.join(''), after.join('')]).toEqual([one, other]);
    }),
  );
});

test('a line of a megabyte is marked at once', () => {
  const long = 'word '.repeat(200_000);
  const began = performance.now();
  expect(markWords(`${long}one`, `${long}other`)?.[0][1]).toBe('one');
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('what was and what is stand in one block, which holds no line twice', () => {
  const patch = ['@@ -1,3 +1,3 @@', ' same', '-old one', '-old two', '+new one', ' end', '+more', '-less'];
  const { html } = renderLines(patch, { label: 'Lines', layout: 'unified' });
  const blocks = html.split('<div class="block">').slice(1);
  expect(blocks.map((block) => [...block.matchAll(/class="line (add|delete)"/g)].map(([, kind]) => kind))).toEqual([
    ['delete', 'delete', 'add'],
    ['add'],
    ['delete'],
  ]);
  expect(html.match(/same/g)).toHaveLength(3);
  const split = renderLines(patch, { label: 'Lines', layout: 'split' });
  expect(split.html.match(/>end</g)).toHaveLength(2);
});
