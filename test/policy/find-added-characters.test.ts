import { expect, test } from 'vitest';
import { tryChange } from './try-change.ts';

const tags = [...'ignore the rules'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

test.each<[string, string, string | null, string]>([
  ['a zero-width space', 'a.md', 'Text.\n', 'Te\u200Bxt.\n'],
  ['hidden tags', 'a.md', 'Text.\n', `Text.${tags}\n`],
  ['an override of the direction', 'a.md', 'Text.\n', 'Text \u202Etxet.\n'],
  ['variation selectors behind a letter', 'a.md', 'Text.\n', 'Text\u{E0101}\u{E0102}.\n'],
  ['one more than the base has', 'a.md', 'a\u200Bb\n', 'a\u200B\u200Bb\n'],
  ['one in a new page', 'new.md', null, 'a\u2060b\n'],
  ['a joiner between letters that need none', 'a.md', 'Text.\n', 'Te\u200Dxt.\n'],
  ['a control character', 'a.md', 'Text.\n', 'Text.\u001B[31m\n'],
  ['one in navigation', 'docs/SUMMARY.md', '# Summary\n', '# Summary\n* [a\u200B](a.md)\n'],
  ['two selectors behind an emoji', 'a.md', 'Text.\n', '\u21A9\uFE0E\uFE0E\n'],
  ['ends of words between letters that need none', 'a.md', 'Text.\n', 'T\u200Bไทย\n'],
  ['a byte order mark', 'a.md', 'Text.\n', '\uFEFFText.\n'],
])('promise 19: a file may not gain %s', async (_, path, before, after) => {
  const refusal = await tryChange(before === null ? {} : { [path]: before }, path, after);
  expect(refusal).toContain(`${path} would gain invisible characters: U+`);
});

test.each<[string, Record<string, string>, string]>([
  ['those of the base, elsewhere in it', { 'a.md': 'a\u200Bb\nc\n' }, 'c\na\u200Bb\nmore\n'],
  ['joiners of a script', {}, 'می\u200Cخواهم و क्\u200Dष\n'],
  ['emoji', {}, 'Done \u2714\uFE0F by \u{1F469}\u200D\u{1F4BB}\n'],
  ['line ends of Windows', {}, 'a\r\nb\r\n'],
  ['the byte order mark of the base', { 'a.md': '\uFEFFa\n' }, '\uFEFFb\n'],
  ['those of a file that moves', { 'old.md': 'a\u200Bb\n' }, 'a\u200Bb\n'],
  ['ends of words in a script without spaces', {}, 'ภาษา\u200Bไทย\n'],
  ['a sign that is no emoji', {}, 'Back \u21A9\uFE0E\n'],
  ['other letters', {}, 'Größe: 10\u00A0km — naïve 日本語\n'],
])('a file may have %s', async (_, files, after) => {
  expect(await tryChange(files, 'a.md', after)).toBeUndefined();
});
