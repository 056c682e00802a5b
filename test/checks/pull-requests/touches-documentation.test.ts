import { expect, test } from 'vitest';
import { touchesDocumentation } from '../../../src/checks/pull-requests/check-pull-request.ts';
import { parseQueueBranch } from '../../../src/repository/is-branch-name.ts';

const code = { path: 'src/a.ts', previousPath: null };

test.each([
  ['code', [code], false],
  ['a page', [code, { path: 'docs/a.md', previousPath: null }], true],
  ['a page that became code', [{ path: 'src/a.ts', previousPath: 'docs/a.md' }], true],
  ['more files than GitHub lists', Array.from({ length: 3_000 }, () => code), true],
])('a pull request with %s', (_name, files, expected) => {
  expect(touchesDocumentation(files)).toBe(expected);
});

const sha = 'a'.repeat(40);
test.each([
  [`gh-readonly-queue/main/pr-12-${sha}`, { base: 'main', number: 12 }],
  [`gh-readonly-queue/release/2.x/pr-3-${sha}`, { base: 'release/2.x', number: 3 }],
  [`gh-readonly-queue/main/pr-12`, undefined],
  [`topic/gh-readonly-queue/main/pr-12-${sha}`, undefined],
])('the branch %s', (branch, expected) => {
  expect(parseQueueBranch(branch)).toEqual(expected);
});
