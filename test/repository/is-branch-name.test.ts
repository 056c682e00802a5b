import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBranchName } from '../../src/repository/is-branch-name.ts';

test.each([
  ['main', true],
  ['docs/v2.1', true],
  ['feature/äöü-日本', true],
  ['a@b', true],
  ['refs/heads/main', true],
  ['', false],
  ['@', false],
  ['HEAD', false],
  ['-x', false],
  ['/main', false],
  ['main/', false],
  ['a//b', false],
  ['a..b', false],
  ['a.', false],
  ['.a', false],
  ['a/.b', false],
  ['a.lock', false],
  ['a.lock/b', false],
  ['a b', false],
  ['a~1', false],
  ['a^', false],
  ['a:b', false],
  ['a?', false],
  ['a*', false],
  ['a[b', false],
  ['a\\b', false],
  ['a@{1}', false],
  ['a\0b', false],
  ['a\x7fb', false],
  ['a\ud800b', false],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
])('%j as a branch: %j', (text, expected) => {
  expect(isBranchName(text)).toBe(expected);
});

test('git agrees, except for names that its commands do not read as branches', () => {
  const pieces = [
    'a',
    'B',
    '1',
    '/',
    '.',
    '..',
    '-',
    '@',
    '{',
    '@{',
    '.lock',
    'HEAD',
    ' ',
    '~',
    '^',
    ':',
    '\\',
    '*',
    '\t',
    'é',
    '\x7f',
  ];
  const names = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(names, (name) => {
      const { status } = spawnSync('git', ['check-ref-format', `refs/heads/${name}`]);
      const isMisread = name === '@' || name === 'HEAD' || name.startsWith('-');
      expect(isBranchName(name)).toBe(status === 0 && !isMisread);
    }),
    { numRuns: 60 },
  );
});
