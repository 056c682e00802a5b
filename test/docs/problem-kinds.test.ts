import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkChange } from '../../src/docs/check-change.ts';
import { problemKindNames, problemKinds } from '../../src/docs/problem-kinds.ts';
import { toTree } from './support/check-files.ts';

test('docs/check-docs.md lists each kind of problem, in order, and no other', () => {
  const rows = readFileSync('docs/check-docs.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| `[\w-]+` \| .* \| (?:must|should) \|$/.test(line));
  expect(rows).toEqual(
    problemKindNames.map((name) => `| \`${name}\` | ${problemKinds[name].finds} | ${problemKinds[name].severity} |`),
  );
});

test.each([{ all: false }, { all: true }])('a kind that is off is left alone, with all problems: $all', ({ all }) => {
  const base = toTree({ 'README.md': '# Home\n' });
  const head = toTree({ 'README.md': '# Home\n\n![](none.png)\n' });
  const listKinds = (off: readonly (typeof problemKindNames)[number][]) =>
    checkChange({ base, head }, { all, off }).problems.map(({ kind }) => kind);
  expect(listKinds([])).toEqual(['image', 'alt-text']);
  expect(listKinds(['alt-text'])).toEqual(['image']);
});
