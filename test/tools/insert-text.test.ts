import { expect, test } from 'vitest';
import { insertIntoText } from '../../src/tools/edits/insert-into-text.ts';
import { createToolbox } from './toolbox.ts';

const page = '---\ntitle: T\n---\n\n## One\n\nfirst\n\n### Deeper\n\nsecond\n\n## Two\n\nlast\n';

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
  ['behind a heading given by its id', page, '#deeper', 'more', page.replace('second\n', 'second\n\nmore\n')],
])('lines are inserted %s', (_, text, after, inserted, expected) => {
  const result = insertIntoText({ path: 'a.md', text, inserted, after });
  expect(result).toMatchObject({ kind: 'inserted', text: expected });
});

test.each([
  ['past the end', '99', 'only 15 lines'],
  ['behind an unknown heading', 'Three', 'it has:\n5: ## One\n9: ### Deeper\n13: ## Two'],
])('an insertion %s says what the file has', (_, after, words) => {
  expect(insertIntoText({ path: 'a.md', text: page, inserted: 'x', after })).toEqual({
    kind: 'refused',
    reason: expect.stringContaining(words),
  });
});

test('insert_text answers with the lines as they are now', async () => {
  await using box = await createToolbox({ 'a.md': 'one\ntwo\nthree\nfour\n', Makefile: 'all:\n' });
  expect(await box.call('insert_text', { path: 'a.md', after: 3, text: 'new' })).toEqual({
    isError: false,
    output: 'inserted into a.md at line 4; now:\n2: two\n3: three\n4: new\n5: four',
  });
  expect(await box.call('insert_text', { path: 'Makefile', after: 'end', text: 'x' })).toMatchObject({ isError: true });
  expect(await box.call('insert_text', { path: 'b.md', after: 'end', text: 'x' })).toMatchObject({ isError: true });
});
