import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from '../src/glob.ts';

test.each([
  ['*.md', 'a.md', true],
  ['*.md', 'docs/a.md', false],
  ['**/*.md', 'a.md', true],
  ['**/*.md', 'docs/guides/a.md', true],
  ['docs/**', 'docs/guides/a.md', true],
  ['docs/**', 'src/a.md', false],
  ['docs/**/*.{md,mdx}', 'docs/a/b.mdx', true],
  ['docs/**/*.{md,mdx}', 'docs/a/b.txt', false],
  ['docs/*/a.md', 'docs/x/y/a.md', false],
  ['d?cs/a.md', 'docs/a.md', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  ['**/b/**/c', 'a/b/x/b/c', true],
  ['docs/[id].md', 'docs/[id].md', true],
  ['', 'a.md', false],
])('%s on %s: %s', (glob, path, expected) => {
  expect(compileGlob(glob)?.(path)).toBe(expected);
});

test.each(['{a', 'a}', '{a,{b,c}}', '{a,b,c}{a,b,c}', 'x'.repeat(401)])('%s is not a glob', (glob) => {
  expect(compileGlob(glob)).toBeNull();
});

test('promise 7: a glob with exponential cost is fast', () => {
  const path = `${'a/'.repeat(200)}${'a'.repeat(200)}b`;
  const start = performance.now();
  expect(compileGlob(`${'**/*a*a*a*a/'.repeat(8)}c`)?.(path)).toBe(false);
  expect(compileGlob(`**/${'a*'.repeat(48)}c`)?.(path)).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_500);
});

test('promise 7: a glob returns null when its steps for all paths are used up', () => {
  const matches = compileGlob('**/*.md', { maxSteps: 100 });
  const answers = Array.from({ length: 20 }, () => matches?.('docs/a.md'));
  expect(answers[0]).toBe(true);
  expect(answers.at(-1)).toBeNull();
});

test('a path matches itself, also with a star for any segment', () => {
  const segment = fc.stringMatching(/^[a-z.]{1,8}$/);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.nat(), (segments, pick) => {
      const path = segments.join('/');
      const starred = segments.with(pick % segments.length, '*').join('/');
      expect(compileGlob(path)?.(path)).toBe(true);
      expect(compileGlob(starred)?.(path)).toBe(true);
      expect(compileGlob('**')?.(path)).toBe(true);
    }),
  );
});
