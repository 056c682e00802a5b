import { expect, test } from 'vitest';
import { findNamedChanges, toReference } from '../../../src/context/changes/find-named-changes.ts';

const webUrl = 'https://github.com';
const find = (text: string) => findNamedChanges(text, { webUrl });

test.each<[string, string, string[]]>([
  ['a reference', 'Document acme/api#12.', ['acme/api#12']],
  ['an address', 'See https://github.com/acme/api/pull/12/files#diff-1', ['acme/api#12']],
  ['both of one, once', 'acme/api#12 (https://github.com/Acme/API/pull/12)', ['acme/api#12']],
  ['several, in order', 'b/b#2, a/a#1', ['b/b#2', 'a/a#1']],
  ['one in brackets', '(acme/api#12)', ['acme/api#12']],
  ['a name with dots', 'acme/api.js#3', ['acme/api.js#3']],
  ['a number without a repository', 'Fix #12', []],
  ['an issue by its address', 'https://github.com/acme/api/issues/12', []],
  ['the address of another host', 'https://gitlab.com/acme/api/pull/12', []],
  ['a heading of a path', 'docs/guide.md#12-steps', []],
  ['a path with a number', 'docs/acme/api#12', []],
  ['number zero', 'acme/api#0', []],
  ['nothing', 'Fix the typos.', []],
])('%s is found in an instruction as it is meant', (_name, text, expected) => {
  expect(find(text).named.map(toReference)).toEqual(expected);
});

test('of more than five pull requests, the first five count, and the others are counted', () => {
  const { named, more } = find(Array.from({ length: 7 }, (_, index) => `acme/api#${index + 1}`).join(' '));
  expect(named).toHaveLength(5);
  expect(more).toBe(2);
});

test('the longest hostile instruction is read at once', () => {
  const start = process.threadCpuUsage();
  for (const piece of ['a/', 'a', 'a/a#', 'https://github.com/', 'a.a-', '1#'])
    find(piece.repeat(32_000 / piece.length));
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1_000_000, 'seconds of the processor').toBeLessThan(2);
});
