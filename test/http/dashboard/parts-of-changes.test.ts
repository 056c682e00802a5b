import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderColoured } from '../../../src/http/dashboard/highlight/colour-texts.ts';
import { createColourer } from '../../../src/http/dashboard/highlight/create-colourer.ts';
import { fillGaps, joinBefore, readPatch } from '../../../src/http/dashboard/jobs/changes/patch-lines.ts';
import { renderDiff } from '../../../src/http/dashboard/jobs/changes/render-diff.ts';
import { markWords, renderLines } from '../../../src/http/dashboard/jobs/changes/render-lines.ts';
import { runInline, ThreadTimeout } from '../../../src/threads/threads.ts';

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
  const lines = readPatch(patch.join('\n'));
  const { html } = renderLines(lines, { label: 'Lines', layout: 'unified', colours: new Map(), linkToGap: null });
  const blocks = html.split('<div class="block">').slice(1);
  expect(blocks.map((block) => [...block.matchAll(/class="line (add|delete)"/g)].map(([, kind]) => kind))).toEqual([
    ['delete', 'delete', 'add'],
    ['add'],
    ['delete'],
  ]);
  expect(html.match(/same/g)).toHaveLength(3);
  const split = renderLines(lines, {
    label: 'Lines',
    layout: 'split',
    colours: new Map(),
    linkToGap: (start) => `?gap=${start}`,
  });
  expect(split.html.match(/>end</g)).toHaveLength(2);
});

test.each([
  ['@@ -6,3 +6,12 @@ Each error', 'Lines 6 to 17'],
  ['@@ -1 +1 @@', 'Line 1'],
  ['@@ -4,2 +3,0 @@', 'Lines 4 to 5, which are removed'],
  ['@@ strange', ''],
])('%s is called %s', (header, words) => {
  expect(readPatch(header)[0]?.text ?? '').toBe(words);
});

test('a patch with the lines around it is the whole file, before and after', () => {
  const text = 'one\ntwo\nnew\nfour\nfive\nsix\nlast\n';
  const patch = ['@@ -2,3 +2,3 @@', ' two', '-three', '+new', ' four', '@@ -6 +6,2 @@', ' six', '+last'];
  const lines = fillGaps(readPatch(patch.join('\n')), text);
  expect(joinBefore(lines)).toBe('one\ntwo\nthree\nfour\nfive\nsix\n');
  expect(
    lines
      .filter(({ kind }) => kind !== 'delete')
      .map((line) => `${line.text}\n`)
      .join(''),
  ).toBe(text);
  expect(lines.map(({ before, after }) => `${before ?? ''}:${after ?? ''}`)).toEqual([
    ...['1:1', '2:2', '3:', ':3', '4:4', '5:5', '6:6', ':7'],
  ]);
});

describe('colours', () => {
  const texts = [{ language: 'markdown', text: '# Head\n\nSome `code`.\n' }, undefined];

  test('of a text are the lengths and kinds of its parts', async () => {
    const { lines } = await createColourer({ runTask: runInline, waitsMs: 60_000 })(texts);
    expect(lines[1]).toBeUndefined();
    const [head, , words] = lines[0] ?? [];
    const shown = renderColoured('Some `code`.', words, { from: 2, to: 7 }).html;
    expect(shown).toBe('So<mark>me <span class="t-string">`c</span></mark><span class="t-string">ode`</span>.');
    expect(renderColoured('# Head', head).html).toContain('<span class="t-heading">');
  });

  test('that take too long leave the text as it is, and are not tried again', async () => {
    let asked = 0;
    const colour = createColourer({
      runTask: async () => {
        asked += 1;
        throw new ThreadTimeout('it took too long');
      },
    });
    expect((await colour(texts)).lines[0]).toEqual([]);
    expect(await colour(texts)).toEqual({ lines: [[], undefined], isLate: false });
    expect(asked).toBe(1);
  });

  test('never change a text', async () => {
    const colour = createColourer({ runTask: runInline, waitsMs: 60_000 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (line) => {
        const text = line.replaceAll(/[\r\n]/g, ' ');
        const { lines } = await colour([{ language: 'markdown', text }]);
        const { html } = renderColoured(text, lines[0]?.[0]);
        expect(html.replaceAll(/<[^>]*>/g, '')).toBe(renderColoured(text, undefined).html);
      }),
      { numRuns: 50 },
    );
  });
});

test('a change of many files has a bounded page: the later ones are shown when a person asks', () => {
  const patch = `@@ -1,100 +1,100 @@\n${'-An old line of the page.\n+A new line of the page.\n'.repeat(100)}`;
  const shown = Array.from({ length: 20 }, (_, index) => ({
    file: {
      path: `page-${index}.md`,
      previousPath: null,
      status: 'modified' as const,
      additions: 100,
      deletions: 100,
      patch,
    },
    lines: readPatch(patch),
    colours: new Map(),
  }));
  const render = (whole?: string) =>
    renderDiff(shown, { layout: 'unified', address: '/job', filesUrl: '/files', truncated: false, whole }).html;
  const page = render();
  expect(page.length).toBeLessThan(300_000);
  expect(page).toContain('href="/job?tab=changes&amp;whole=page-19.md&amp;gap=0#file-page-19.md"');
  const count = (text: string) => text.split('class="line delete"').length;
  const asked = render('page-19.md');
  expect(count(asked)).toBeGreaterThan(count(page));
  expect(asked).not.toContain('whole=page-19.md&amp;gap=0');
});
