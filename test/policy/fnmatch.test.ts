import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFnmatch } from '../../src/policy/fnmatch.ts';

test.each([
  ['docs/secret.md', 'docs/secret.md', true],
  ['docs/secret.md', 'docs/Secret.md', false],
  ['/docs/secret.md', 'docs/secret.md', true],
  ['docs/*', 'docs/a.md', true],
  ['docs/*', 'docs/a/b.md', false],
  ['docs/**', 'docs/a.md', true],
  ['docs/**', 'docs/a/b.md', false],
  ['docs/**/*', 'docs/a.md', true],
  ['docs/**/*', 'docs/a/b/c.md', true],
  ['docs/**/*', 'other/a.md', false],
  ['**/secret.md', 'secret.md', true],
  ['**/secret.md', 'a/b/secret.md', true],
  ['do**/**/*.md', 'docs/a/b.md', true],
  ['docs/?.md', 'docs/a.md', true],
  ['docs/?.md', 'docs/ab.md', false],
  ['docs/?.md', 'docs/😀.md', true],
  ['docs/[a-c]*.md', 'docs/bee.md', true],
  ['docs/[a-c]*.md', 'docs/dee.md', false],
  ['docs/[xy].md', 'docs/y.md', true],
  ['docs/[a-].md', 'docs/-.md', true],
  ['docs/{a,b}.md', 'docs/a.md', false],
  ['docs/{a,b}.md', 'docs/{a,b}.md', true],
  ['docs', 'docs/a.md', false],
  ['a.md', 'aXmd', false],
])('the pattern %s and the path %s: %s', (pattern, path, isMatch) => {
  expect(compileFnmatch(pattern)?.(path)).toBe(isMatch);
});

test.each([
  ['a complement', 'docs/[^a].md'],
  ['a complement of another kind', 'docs/[!a].md'],
  ['a backslash', 'docs/\\*.md'],
  ['an open set', 'docs/[a.md'],
  ['an empty set', 'docs/[].md'],
  ['no name at all', '//'],
  ['too many characters', 'a'.repeat(1_001)],
])('a pattern with %s cannot be compiled', (_, pattern) => {
  expect(compileFnmatch(pattern)).toBeNull();
});

test('a pattern without special characters matches only itself', () => {
  const path = fc
    .array(fc.stringMatching(/^[a-z.~]{1,5}$/), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'));
  fc.assert(
    fc.property(path, path, (pattern, other) => {
      expect(compileFnmatch(pattern)?.(other)).toBe(pattern === other);
    }),
  );
});

test('promise 7: a pattern with exponential cost is fast', () => {
  const startedAt = performance.now();
  expect(compileFnmatch(`${'*a'.repeat(400)}b`)?.('a'.repeat(1_000))).toBe(false);
  expect(compileFnmatch(`${'**/*a*/'.repeat(100)}b`)?.('a/'.repeat(500))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
