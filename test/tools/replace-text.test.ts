import { expect, test } from 'vitest';
import { replaceText } from '../../src/tools/replace-text.ts';
import { createToolbox } from './toolbox.ts';

test.each([
  ['as long as allowed', 5, { kind: 'replaced', text: 'bbbbb' }],
  ['one longer', 4, { kind: 'too_large' }],
])('a result that is %s', (_, maxCharacters, expected) => {
  const given = { text: 'aba', oldText: 'a', newText: 'bb', all: true, maxCharacters };
  expect(replaceText(given)).toMatchObject(expected);
});

test('promise 7: a file that would grow beyond what a string can hold is never built', async () => {
  await using box = await createToolbox({ 'a.md': 'a'.repeat(2 * 1024 ** 2) });
  const given = { path: 'a.md', old_text: 'a', new_text: 'b'.repeat(300), replace_all: true };
  expect(await box.call('edit_file', given)).toEqual({
    isError: true,
    output: 'a.md would be longer than 2,097,152 characters; make new_text shorter, or split the file',
  });
});
