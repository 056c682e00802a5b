import { expect, test } from 'vitest';
import { editText } from '../../../src/tools/edits/edit-text.ts';
import { defaultToolLimits } from '../../../src/tools/output/limits.ts';
import { createToolbox } from '../toolbox.ts';

const page = '---\ntitle: T\n---\n\n## One\n\nfirst\n\n### Deeper\n\nsecond\n\n## Two\n\nlast\n';

const replaceSection = (text: string, heading: string, newText: string, limits = defaultToolLimits) =>
  editText({ path: 'a.md', text, edits: [{ heading, newText }], limits });

test.each([
  ['with its deeper ones', page, 'One', '', page.replace(/## One.*(?=## Two)/s, '')],
  ['below another', page, '### Deeper', '', page.replace('### Deeper\n\nsecond\n\n', '')],
  ['at the end, without the blank lines before it', page, 'Two', ' ', page.replace('\n## Two\n\nlast\n', '')],
  ['by its id', page, '#deeper', '', page.replace('### Deeper\n\nsecond\n\n', '')],
  ['that is the whole file', '# A\n\na\n', 'A', '', ''],
  ['with CRLF', '# A\r\n\r\n## B\r\n\r\nb\r\n', 'B', '', '# A\r\n'],
])('a section is deleted: %s', (_, text, heading, newText, expected) => {
  expect(replaceSection(text, heading, newText)).toMatchObject({ text: expected });
});

test.each([
  [
    'keeps the blank lines behind it',
    page,
    'Deeper',
    '### New\n\ntext',
    page.replace('### Deeper\n\nsecond', '### New\n\ntext'),
  ],
  ['keeps CRLF', '# A\r\n\r\na\r\n\r\n# B\r\n', 'A', '# C\nc\n', '# C\r\nc\r\n\r\n# B\r\n'],
])('a replaced section %s', (_, text, heading, newText, expected) => {
  expect(replaceSection(text, heading, newText)).toMatchObject({ text: expected });
});

test('a heading in a fence is no section', () => {
  const text = '# A\n\n```\n# B\n```\n\n# C\n';
  expect(replaceSection(text, 'A', '')).toMatchObject({ text: '# C\n' });
});

test('a section that would make the file too long is refused', () => {
  const edited = replaceSection(page, 'One', '# 1\n', { ...defaultToolLimits, maxFileCharacters: 20 });
  expect(edited).toMatchObject({ kind: 'refused', reason: expect.stringContaining('longer than 20') });
});

test('edit_file replaces a section by its heading, and says which headings there are', async () => {
  await using box = await createToolbox({ 'a.md': page, 'b.md': '# A\n\n# A\n' });
  const call = (args: object) => box.call('edit_file', { path: 'a.md', new_text: '', ...args });
  expect(await call({ heading: 'Deeper' })).toEqual({
    isError: false,
    output: 'edited a.md at lines 9-11; now:\n7: first\n8: \n9: ## Two\n10: \n11: last',
  });
  expect(await box.read('a.md')).not.toContain('Deeper');
  expect(await call({ heading: 'Three' })).toMatchObject({ isError: true, output: expect.stringContaining('## One') });
  expect(await call({ heading: 'One', old_text: 'first' })).toMatchObject({ isError: true });
  expect(await call({ heading: 'One', old_text: '' })).toMatchObject({ isError: false });
  expect(await call({})).toMatchObject({ isError: true });
  expect(await call({ path: 'b.md', heading: 'A' })).toMatchObject({
    isError: true,
    output: 'b.md has several such headings; give the line of one, or old_text:\n1: # A\n3: # A',
  });
});
