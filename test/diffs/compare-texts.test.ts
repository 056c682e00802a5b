import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from '../../src/diffs/read-live-diff.ts';
import { fillGaps, joinBefore, readPatch } from '../../src/http/dashboard/jobs/changes/patch-lines.ts';

const compare = (before: string | null | undefined, after: string | null) =>
  compareTexts([{ path: 'a.md', before, after }])[0];

test.each([
  ['a changed line', 'one\ntwo\n', 'one\n2\n', 'modified', 1, 1, '@@ -1,2 +1,2 @@\n one\n-two\n+2'],
  ['a new file', null, 'one\n', 'added', 1, 0, '@@ -0,0 +1,1 @@\n+one'],
  ['a deleted file', 'one\n', null, 'removed', 0, 1, '@@ -1,1 +0,0 @@\n-one'],
  ['what is no text', undefined, 'one\n', 'modified', 0, 0, null],
])('%s is compared as git does', (_what, before, after, status, additions, deletions, patch) => {
  expect(compare(before, after)).toEqual({ path: 'a.md', previousPath: null, status, additions, deletions, patch });
});

test('a patch with the lines around it is both versions', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', '\n', 'c d\n'), { minLength: 1 }).map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = fillGaps(readPatch(compare(before, after)?.patch ?? null), after);
      expect(joinBefore(lines)).toBe(before);
      expect(
        lines
          .filter(({ kind }) => kind !== 'delete')
          .map((line) => `${line.text}\n`)
          .join(''),
      ).toBe(after);
    }),
  );
});

test('texts that differ in too many lines are not compared', () => {
  const long = (word: string) => `${word} `.concat('\n', `${word}\n`.repeat(20_000));
  const began = performance.now();
  expect(compare(long('one'), long('two'))?.patch).toBe(null);
  expect(performance.now() - began).toBeLessThan(3_000);
});
