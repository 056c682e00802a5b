import { expect, test } from 'vitest';
import { editText } from '../../src/tools/edits/edit-text.ts';
import { defaultToolLimits } from '../../src/tools/output/limits.ts';
import { createToolbox } from './toolbox.ts';

const page = '---\ntitle: T\n---\n\n## One\n\nfirst\n\n### Deeper\n\nsecond\n\n## Two\n\nlast\n';

const insert = (text: string, after: string, newText: string, path = 'a.md') =>
  editText({ path, text, edits: [{ after, newText }], limits: defaultToolLimits });

test.each([
  ['at the top', 'b\n', '0', 'a', 'a\nb\n'],
  ['behind a line', 'a\nc\n', '1', 'b\n', 'a\nb\nc\n'],
  ['as whole lines', 'a\nc\n', '1', 'b', 'a\nb\nc\n'],
  ['behind a last line without a line break', 'a', '1', 'b\n', 'a\nb\n'],
  ['at the end', 'a\n', 'end', 'b\n', 'a\n\nb\n'],
  ['at the end of an empty file', '', 'end', 'b', 'b\n'],
  ['at the end, whatever blank lines they begin with', 'a\n', 'end', '\n\nb\n', 'a\n\nb\n'],
  ['with the line ends of the file', 'a\r\nc\r\n', '1', 'b\nb\n', 'a\r\nb\r\nb\r\nc\r\n'],
  [
    'behind a section with its deeper ones',
    page,
    'One',
    '## Between\n\ntext\n',
    page.replace('second\n', 'second\n\n## Between\n\ntext\n'),
  ],
  ['behind a heading given with its marks', page, '## two', 'more\n', `${page}\nmore\n`],
  ['behind a line given by its text', 'a\nb b\nc\n', 'b b', 'x', 'a\nb b\nx\nc\n'],
  ['behind a heading given by its id', page, '#deeper', 'more', page.replace('second\n', 'second\n\nmore\n')],
])('lines are inserted %s', (_, text, after, inserted, expected) => {
  expect(insert(text, after, inserted)).toMatchObject({ kind: 'edited', text: expected });
});

test.each([
  ['past the end', '99', 'only 15 lines'],
  ['behind an unknown heading', 'Three', 'it has:\n5: ## One\n9: ### Deeper\n13: ## Two'],
])('an insertion %s says what the file has', (_, after, words) => {
  expect(insert(page, after, 'x')).toEqual({
    kind: 'refused',
    reason: expect.stringContaining(words),
  });
});

test('in a file that is no page, a comment is no heading', () => {
  const insertEntry = (text: string, after: string) => insert(text, after, '  - page: B', 'docs.yml');
  const text = '# Pages\nnavigation:\n  - page: A\n';
  expect(insertEntry(text, '  - page: A')).toMatchObject({ kind: 'edited', text: `${text}  - page: B\n` });
  expect(insertEntry(text, 'Pages')).toMatchObject({
    reason: "docs.yml has no such line; give a line's number as after",
  });
  expect(insertEntry(text + text, '- page: A')).toMatchObject({ reason: expect.stringContaining('in the lines 3, 6') });
});

test('edit_file answers an insertion with the lines as they are now', async () => {
  await using box = await createToolbox({ 'a.md': 'one\ntwo\nthree\nfour\n', Makefile: 'all:\n' });
  expect(await box.call('edit_file', { path: 'a.md', after: 3, new_text: 'new' })).toEqual({
    isError: false,
    output: 'edited a.md at line 4; now:\n2: two\n3: three\n4: new\n5: four',
  });
  const edits = [{ after: 'end', new_text: 'x' }];
  expect(await box.call('edit_file', { path: 'Makefile', edits })).toMatchObject({ isError: true });
  expect(await box.call('edit_file', { path: 'b.md', edits })).toMatchObject({ isError: true });
});

test('line numbers of several edits are those before the call', async () => {
  await using box = await createToolbox({ 'a.md': 'one\ntwo\nthree\n' });
  const output = await box.output('edit_file', {
    path: 'a.md',
    edits: [
      { old_text: 'one', new_text: 'first\nagain' },
      { after: '1', new_text: 'a' },
      { after: 1, new_text: 'b' },
      { after: '3', new_text: 'last', old_text: '', heading: '' },
      { after: '0', new_text: 'top' },
    ],
  });
  expect(output).toMatch(/^edited a\.md at line 2; /);
  expect(await box.read('a.md')).toBe('top\nfirst\nagain\na\nb\ntwo\nthree\nlast\n');
});
