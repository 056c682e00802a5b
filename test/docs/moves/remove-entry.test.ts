import { expect, test } from 'vitest';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { removeEntry } from '../../../src/docs/moves/remove-entry.ts';

/** The text without the entry whose target is `gone`; undefined: it is left. */
function remove(text: string): string | undefined {
  const start = text.indexOf('gone');
  const edit = removeEntry(text, { start, end: start + 'gone'.length });
  return edit && applyEdits(text, [{ line: 1, ...edit }]);
}

test.each<[string, string, string]>([
  ['the first of JSON', '[\n  "gone",\n  "a"\n]', '[\n  "a"\n]'],
  ['one in the middle of JSON', '["a", "gone", "b"]', '["a", "b"]'],
  ['the last of JSON', '[\n  "a",\n  "gone"\n]', '[\n  "a"\n]'],
  ['the last of JavaScript', "[\n  'a',\n  'gone',\n]", "[\n  'a',\n]"],
  [
    'an object',
    "[\n  { text: 'A', link: '/a' },\n  { text: 'G', link: 'gone' },\n]",
    "[\n  { text: 'A', link: '/a' },\n]",
  ],
  ['an object of several lines', "[\n  {\n    id: 'gone',\n    type: 'doc',\n  },\n  'a',\n]", "[\n  'a',\n]"],
  ['a line of YAML', 'nav:\n  - A: a\n  - G: gone\n  - b\n', 'nav:\n  - A: a\n  - b\n'],
  ['the last line of YAML', 'nav:\n  - A: a\n  - gone', 'nav:\n  - A: a\n'],
  [
    'an item of YAML with an icon',
    'nav:\n  - page: A\n    path: a\n  - page: G\n    path: gone\n    icon: x\n  - page: B\n    path: b\n',
    'nav:\n  - page: A\n    path: a\n  - page: B\n    path: b\n',
  ],
  ['an item of YAML with a title below', 'toc:\n  - file: gone\n    title: G\n  - file: a\n', 'toc:\n  - file: a\n'],
  ['an entry behind strings with brackets', "['a (1', 'b]', 'gone', 'c']", "['a (1', 'b]', 'c']"],
  ['a numbered line of Markdown', '1. [A](a)\n2. [G](gone)\n3. [B](b)\n', '1. [A](a)\n3. [B](b)\n'],
  ['a line of Markdown', '* [A](a)\r\n  * [G](gone)\r\n  * [B](b)\r\n', '* [A](a)\r\n  * [B](b)\r\n'],
])('an entry goes with nothing else: %s', (_name, before, after) => {
  expect(remove(before)).toBe(after);
});

test.each<[string, string]>([
  ['the only one of JSON', '{"group": "A", "pages": ["gone"]}'],
  ['the only one of YAML', 'nav:\n  - A:\n      - gone\n  - b\n'],
  [
    'an item of YAML with others below it',
    'nav:\n  - page: G\n    path: gone\n    contents:\n      - page: A\n  - b\n',
  ],
  ['an item of YAML with a list', 'nav:\n  - page: G\n    path: gone\n    tags: [a]\n  - b\n'],
  ['the only one of Markdown', '* [A](a)\n  * [G](gone)\n* [B](b)\n'],
  ['a page with others below it', '* [G](gone)\n  * [A](a)\n'],
  ['a page with others below a blank line', '* [A](a)\n* [G](gone)\n\n  * [B](b)\n'],
  ['a page with others below a comment', '* [A](a)\n* [G](gone)\n  <!-- x -->\n  + [B](b)\n'],
  ['the only one with a comment', "[\n  'gone', // only\n]"],
  ['one that a comment is about', "[\n  'gone', // not yet\n  'a',\n]"],
  ['a page of a group', '{"root": "gone", "pages": ["a"]}'],
  ['a link of a category', "[{ label: 'A', link: { type: 'doc', id: 'gone' }, items: ['a'] }, 'b']"],
  ['an argument of a call', "defineItems('gone')"],
  ['an argument among others', "['a', item('x', 'gone', 'b'), 'c']"],
])('an entry is left for the agent: %s', (_name, text) => {
  expect(remove(text)).toBeUndefined();
});
