import { expect, test } from 'vitest';
import { replaceOccurrences } from '../../../src/tools/edits/replace-occurrences.ts';
import { createToolbox } from '../toolbox.ts';

test.each([
  ['as long as allowed', 5, { kind: 'replaced', text: 'bbbbb' }],
  ['one longer', 4, { kind: 'too_large' }],
])('replaceOccurrences: a result that is %s', (_, maxCharacters, expected) => {
  const edit = { text: 'aba', oldText: 'a', newText: 'bb', all: true, maxCharacters };
  expect(replaceOccurrences(edit)).toMatchObject(expected);
});

test('promise 7: an edit never builds a text beyond the maximum string length', async () => {
  await using box = await createToolbox({ 'a.md': 'a'.repeat(2 * 1024 ** 2) });
  const args = { path: 'a.md', old_text: 'a', new_text: 'b'.repeat(300), replace_all: true };
  expect(await box.call('edit_file', args)).toEqual({
    isError: true,
    output: 'a.md would be longer than 2,097,152 characters; shorten new_text or split the file',
  });
});

test.each([
  ['a longer word', 'install', 'install uninstall install-it re_install', 'X uninstall install-it re_install'],
  ['a longer path', '/a', '/a /docs/a /ab (/a) /a/b', 'X /docs/a /ab (X) X/b'],
  ['a longer anchor', '#a', 'page#a #a-b {#a}', 'pageX #a-b {X}'],
])('replaceOccurrences: whole leaves %s', (_, oldText, text, expected) => {
  const result = replaceOccurrences({ text, oldText, newText: 'X', all: true, isWhole: true, maxCharacters: 100 });
  expect(result).toMatchObject({ kind: 'replaced', text: expected });
});

test('replaceOccurrences tells where the new texts are', () => {
  const result = replaceOccurrences({ text: 'a b a', oldText: 'a', newText: 'xyz', all: true, maxCharacters: 100 });
  expect(result).toMatchObject({
    places: [
      { start: 0, length: 3 },
      { start: 6, length: 3 },
    ],
  });
});
