import { expect, test } from 'vitest';
import { findNearest, findNearestName } from '../src/find-nearest-name.ts';

test.each([
  ['mian', 'main'],
  ['mainn', 'main'],
  ['MAIN', 'main'],
  ['devleop', 'develop'],
  ['lables', 'labels'],
  ['man', 'main'],
  ['trunk', undefined],
  ['nami', undefined],
])('the branch that is meant by %s is %s', (typed, meant) => {
  expect(findNearestName(typed, ['main', 'develop', 'labels'])).toBe(meant);
});

test.each([
  ['a typing mistake', '/guide/limts', ['/guide/limits', '/guide/linux'], '/guide/limits'],
  ['a mistake in a folder', '/guides/limits', ['/guide/limits', '/guide/linux'], '/guide/limits'],
  ['another page of the same folder', '/reference/automations/client', ['/reference/automations/old'], undefined],
  ['another short name with the same extension', 'docs/a.mdx', ['docs/b.mdx'], undefined],
  ['a page in a folder instead of one beside it', 'guide/limits.md', ['guide/limits/index.md'], undefined],
  ['a path that is too short', '', ['a', '/'], undefined],
  ['itself', 'docs/a.md', ['docs/a.md'], 'docs/a.md'],
])('the nearest path of %s', (_, path, candidates, nearest) => {
  expect(findNearest(path, candidates)).toBe(nearest);
});
