import { expect, test } from 'vitest';
import { findConflictMarkers, renameMarkers } from '../../../src/workspace/merges/conflicts.ts';
import type { ReadResult } from '../../../src/workspace/workspace-files.ts';

const tip = 'a'.repeat(40);
const base = 'b'.repeat(40);

test('markers name the sides instead of commits, and keep renamed paths and line ends', () => {
  const text = `x\n<<<<<<< ${tip}:new.md\na\n=======\nb\n>>>>>>> ${base}\r\n${tip}\n`;
  expect(renameMarkers(text, { tip, base })).toBe(`x\n<<<<<<< branch:new.md\na\n=======\nb\n>>>>>>> base\r\n${tip}\n`);
});

test('a text without markers of this merge is undefined', () => {
  expect(renameMarkers('<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n', { tip, base })).toBeUndefined();
});

test.each<[string, ReadResult, boolean]>([
  ['a whole conflict', { kind: 'text', text: '<<<<<<< branch\na\n=======\nb\n>>>>>>> base\n' }, true],
  ['a first marker', { kind: 'text', text: 'a\n<<<<<<< branch:docs/a.md\n' }, true],
  ['a last marker with CRLF', { kind: 'text', text: 'a\r\n>>>>>>> base\r\nb\r\n' }, true],
  ['a last marker at the very end', { kind: 'text', text: 'a\n>>>>>>> base' }, true],
  ['a heading', { kind: 'text', text: 'Heading\n=======\n' }, false],
  ['a lesson about git', { kind: 'text', text: '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n' }, false],
  ['a marker within a line', { kind: 'text', text: 'see `<<<<<<< branch`\n' }, false],
  ['a file that was removed', { kind: 'missing' }, false],
  ['a file that is not text', { kind: 'binary', bytes: 3 }, false],
  ['a file that is too large to look into', { kind: 'too_large', bytes: 3e9 }, true],
])('unresolved: %s', async (_, file, isFound) => {
  const workspace = { readFile: () => Promise.resolve(file) };
  expect(await findConflictMarkers(workspace, ['a.md'])).toEqual(isFound ? ['a.md'] : []);
});
