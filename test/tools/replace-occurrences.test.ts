import { expect, test } from 'vitest';
import { replaceOccurrences } from '../../src/tools/replace-occurrences.ts';
import { createToolbox } from './toolbox.ts';

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
