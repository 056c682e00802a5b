import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPath, parentsOf } from '../../src/git/check-path.ts';

test.each([
  ['a plain path', 'docs/index.md', 'docs/index.md'],
  ['a leading dot segment', './docs/index.md', 'docs/index.md'],
  ['empty and dot segments', 'docs//./guides/index.md', 'docs/guides/index.md'],
  ['a trailing slash', 'docs/', 'docs'],
  ['a name with spaces and accents', 'docs/Über uns.md', 'docs/Über uns.md'],
  ['names that only contain git', 'docs/git.md', 'docs/git.md'],
  ['.gitignore', '.gitignore', '.gitignore'],
  ['.github', '.github/x.yml', '.github/x.yml'],
  ['dots in a name', 'docs/a..b.md', 'docs/a..b.md'],
])('checkPath accepts %s', (_, rawPath, path) => {
  expect(checkPath(rawPath)).toEqual({ kind: 'path', path });
});

test.each([
  ['an empty path', ''],
  ['the root', './'],
  ['a parent segment', 'docs/../../etc/passwd'],
  ['a parent segment alone', '..'],
  ['an absolute path', '/etc/passwd'],
  ['a drive', 'C:/windows'],
  ['a backslash', 'docs\\..\\..\\x'],
  ['NUL', 'docs/a\0.md'],
  ['a line break', 'docs/a\n.md'],
  ['a carriage return', 'docs/a\r'],
  ['a bidirectional override', 'docs/\u202Efdp.md'],
  ['a tag character', 'docs/a\u{E0041}.md'],
  ['half a surrogate pair', 'docs/\uD800.md'],
  ['.git', '.git/config'],
  ['.git below', 'docs/.git/config'],
  ['.GIT', '.GIT/config'],
  ['.Git', 'x/.Git'],
  ['.git with an ignored code point', '.g\u200cit/config'],
  ['.git with a byte order mark', '.git\uFEFF/config'],
  ['.git with trailing dots', '.git./config'],
  ['.git with trailing spaces', '.git  /config'],
  ['.git with both', '.git. . /config'],
  ['.git as a stream', '.git::$INDEX_ALLOCATION/config'],
  ['.git as a short name', 'git~1/config'],
  ['.git as another short name', 'GIT~23/config'],
  ['.git in full width', '．ｇｉｔ/config'],
  ['a segment that is too long', `docs/${'a'.repeat(256)}`],
  ['a segment that is too long in bytes', `docs/${'ü'.repeat(128)}`],
  ['a path that is too long', 'a/'.repeat(600)],
])('promise 5: %s is refused', (_, rawPath) => {
  expect(checkPath(rawPath)).toMatchObject({ kind: 'refused' });
});

const piece = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '/',
    '\\',
    '.git',
    '.GIT',
    'git~1',
    '\0',
    '\u200c',
    '\uFEFF',
    ' ',
    ':',
    '%2e%2e',
    '~',
    'docs',
    'e\u0301',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyPath = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('/')),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
);

test('promise 5: no accepted path leaves the workspace or names .git', () => {
  fc.assert(
    fc.property(anyPath, (rawPath) => {
      const checked = checkPath(rawPath);
      if (checked.kind === 'refused') {
        return;
      }
      const root = '/workspace/files';
      const full = posix.resolve(root, checked.path);
      expect(full.startsWith(`${root}/`)).toBe(true);
      expect(full).toBe(`${root}/${checked.path}`);
      expect(checked.path).not.toMatch(/\p{Cc}|\\/u);
      expect(checked.path.toLowerCase().split('/')).not.toContain('.git');
      expect(Buffer.from(checked.path).toString()).toBe(checked.path);
    }),
    { numRuns: 2_000 },
  );
});

test('checking an accepted path again does not change it', () => {
  fc.assert(
    fc.property(anyPath, (rawPath) => {
      const checked = checkPath(rawPath);
      if (checked.kind === 'path') {
        expect(checkPath(checked.path)).toEqual(checked);
      }
    }),
  );
});

test('the folders above a path come outermost first', () => {
  expect(parentsOf('a/b/c.md')).toEqual(['a', 'a/b']);
  expect(parentsOf('a.md')).toEqual([]);
});
