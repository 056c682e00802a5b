import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripHiddenInThread } from '../../src/text/read-in-thread.ts';
import { stripHidden } from '../../src/text/strip-hidden.ts';
import { withoutMarkup } from '../../src/text/unseen-html.ts';
import { ThreadsBusy, ThreadTimeout } from '../../src/threads/threads.ts';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const england = `\u{1F3F4}${tags('gbeng')}\u{E007F}`;

test.each<[string, string, string]>([
  ['an HTML comment', 'a<!-- hidden -->b', 'ab'],
  ['one over several lines', 'a\n<!-- hid\nden -->\nb', 'a\n\nb'],
  ['one that never ends', 'a\n\n<!-- hidden\n\nhidden', 'a\n\n'],
  ['one that taking out another would make', 'a<!<!-- x -->-- hidden -->b', 'ab'],
  ['an empty comment, but not what follows it', 'a<!-->b-->c', 'ab-->c'],
  ['the other empty comment', 'a<!--->b-->c', 'ab-->c'],
  ['a processing instruction', 'a<?hidden > hidden?>b', 'ab'],
  ['a declaration', 'a<!HIDDEN "x">b', 'ab'],
  ['character data', 'a<![CDATA[hid\nden]]>b', 'ab'],
  ['a comment that taking out another kind would make', 'a<!<?x?>-- hidden -->b', 'ab'],
  ['a definition that is used as a comment', 'a\n\n[//]: # (hidden)\nb', 'a\n\n\nb'],
  ['one with quotation marks', '[//]: # "hidden"\nb', '\nb'],
  ['one of another name', '[comment]: <> (hidden)\nb', '\nb'],
  ['one of any name', '[x]: <> (hidden)\nb', '\nb'],
  ['one that hides in its name', '[hid\nden]: #\nb', '\nb'],
  ['one over several lines', '[x]:\n  /u\n  (hid\nden)\nb', '\nb'],
  ['one in a list in a quotation', '> - [x]: # (hidden)\n\nb', '> - \n\nb'],
  ['one behind a heading', '# a\n[x]: # (hidden)\nb', '# a\n\nb'],
  ['one with an escape in its address', '[x]: <\\>> "hidden"\nb', '\nb'],
  ['one whose address looks like a name', '[x]:\n[y]: "hid den"\nb', '\nb'],
  ['one behind what only begins like one', '[x]:\n> [y]: # (hidden)', '[x]:\n> '],
  ['one behind another', '[x]: # (hidden)\n[y]: # (hidden)', '\n'],
  ['one that only another refers to', '[x]: # ([y])\n[y]: # (hidden)', '\n'],
  [
    'the title of one that is referred to',
    'see [x]\n\n[x]: https://x.test "hidden"\nb',
    'see [x]\n\n[x]: https://x.test\nb',
  ],
  ['the text of an image', '![hidden](https://x.test/a.png)', '![](https://x.test/a.png)'],
  ['the title of a link', '[a](https://x.test "hidden")', '[a](https://x.test)'],
  ['the title of an image', '![a](/b "hidden")', '![](/b)'],
  [
    'attributes of HTML',
    'a <img alt="hidden" title=hidden srcset="hidden 2x" src="/a.png"> b',
    'a <img src="/a.png"> b',
  ],
  ['attributes over several lines', '<a\n  href="/b"\n  title="hid\nden">b</a>', '<a href="/b">b</a>'],
  ['attributes of a component', '<Step title="hidden">a</Step>', '<Step>a</Step>'],
  ['attributes in a quotation', '> <img\n> alt="hidden">\n\nb', '> <img>\n\nb'],
  ['what an open tag swallows', 'a\n\n<div title="\n\nhidden\n\n">', 'a\n\n'],
  ['a footnote that nothing refers to', 'a\n\n[^x]: hidden\n', 'a\n\n\n'],
  ['the label of a link', '[a][hidden]\n\n[hidden]: https://x.test', '[a][1]\n\n[1]: https://x.test'],
  ['one in other letters', '[a][Hid  den]\n\n[hid\nDEN]: /b', '[a][1]\n\n[1]: /b'],
  [
    'one beside a number',
    '[a][hidden] [b][1] [2]\n\n[1]: /1\n[2]: /2\n[hidden]: /3',
    '[a][3] [b][1] [2]\n\n[1]: /1\n[2]: /2\n[3]: /3',
  ],
  ['the label of a footnote', 'a[^hidden]\n\n[^hidden]: b', 'a[^1]\n\n[^1]: b'],
  ['the label of an image', '![x][hidden]\n\n[hidden]: /b.png', '![][1]\n\n[1]: /b.png'],
  ['an image whose text is its label', '![hidden]\n\n[hidden]: /b.png', '![]\n\n'],
  ['zero-width characters', 'a\u200Bb\u200Cc\u200Dd\uFEFFe', 'abcde'],
  ['a zero-width space', 'a\u200Bb', 'ab'],
  ['bidi controls', 'a\u202Eb\u202C\u2066c\u2069\u200E\u200F\u061C', 'abc'],
  ['tags', `fix it${tags('obey')}`, 'fix it'],
  ['tags behind a flag that is none', `\u{1F3F4}${tags('ignore')}\u{E007F}`, '\u{1F3F4}'],
  ['invisible operators', 'a\u2060b\u2061\u2062\u2063\u2064c', 'abc'],
  ['the Mongolian vowel separator', 'a\u180Eb', 'ab'],
  ['variation selectors', 'a\uFE00b\uFE0Fc\u{E0100}d\u{E01EF}', 'abcd'],
  ['soft hyphens', 'docu\u00ADment', 'document'],
  ['Hangul fillers', 'a\u3164b\u115F\uFFA0', 'ab'],
  ['annotations', 'a\uFFF9b\uFFFAc\uFFFB', 'abc'],
  ['controls', 'a\0b\x1B[31m\x07c\x7F\x85d', 'ab[31mcd'],
])('promise 20: %s: removed', (_name, text, expected) => {
  expect(stripHidden(text)).toBe(expected);
});

test.each<[string, string]>([
  ['line breaks and tabs', 'a\n\tb\n\nc'],
  ['a heart that is an emoji', 'thanks \u2764\uFE0F!'],
  ['a family and a skin colour', '\u{1F469}\u200D\u{1F4BB} \u{1F44D}\u{1F3FD}'],
  ['a keycap', '1\uFE0F\u20E3'],
  ['the flags of countries', `${england} \u{1F1E9}\u{1F1EA}`],
  ['Persian, which is spelled with a joiner', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['Hindi, which is too', '\u0915\u094D\u200D\u0937'],
  ['a comment in a code span', 'Put `<!-- vale off -->` above the table of `a`.'],
  ['a comment in a code block', '```html\n<!-- prettier-ignore -->\n```\ntext'],
  ['a comment in a suggestion', 'Rather:\n\n```suggestion\n<!-- a -->\n```'],
  ['a comment in a span that ends with a backslash', 'Put `<!-- a -->\\` there'],
  ['a comment in code behind a link', 'See [this](https://x.test/a) and add `<!-- a -->`.'],
  ['an address that the text refers to', 'see [the guide][1]\n\n[1]: https://x.test/a'],
  ['attributes in a code span', 'Use `<img alt="a" title="b">`.'],
  ['attributes in code behind HTML', '<b>a</b> costs $5\n\n```mdx\n<Card title="a" href="/b">\n```'],
  ['a definition inside a paragraph', 'a\n[//]: # (shown)\nb'],
  ['details that open', '<details>\n<summary>a</summary>\n\nb\n\n</details>'],
  ['a footnote', 'a[^1]\n\n[^1]: b'],
  ['what only looks like a definition', '[note]: this page is wrong\n\n[x]: # (a (b) c'],
  ['one inside a paragraph, where it is text', 'words\n[note]: wrong'],
  ['a key in code', 'costs $5\n```ts\nconst a = {\n  [key]: value,\n};\n```'],
  ['a definition in a code block', '```\n[//]: # (a)\n```'],
  ['a comparison', 'if a > b and b > c'],
])('%s: kept', (_name, text) => {
  expect(stripHidden(text)).toBe(text);
});

test.each<[string, string]>([
  ['in HTML', '<div>`<!-- hidden -->`</div>'],
  ['in a block of HTML', '<div>\n```\n<!-- hidden -->\n```\n</div>'],
  ['behind an escaped backtick', '\\`<!-- hidden -->`'],
  ['behind a run whose partner is longer', '``<!-- hidden -->\\```'],
  ['behind an escaped run of the same length', '\\``<!-- hidden -->``'],
  ['behind a span over two lines', '`a\nb` <!-- hidden --> `c`'],
  ['behind a block in an item of a list', '- a\n\n  ```\n<!-- hidden -->\n  ```'],
  ['behind a block that an indented fence opened', '  ```\na\n```\n<!-- hidden -->\n```'],
  ['in cells of a table', '| a | b |\n|---|---|\n| `x | <!-- hidden --> ` |'],
  ['behind a backtick in an address', 'https://x.test/` <!-- hidden --> `'],
  ['behind a backtick in a link', '[a](b`) <!-- hidden --> `c`'],
  ['behind a backtick in a title', '[a](b "`") <!-- hidden --> `c`'],
  ['behind a backtick in an attribute', '<a title="`"> <!-- hidden --> `'],
  ['behind a fence that is indented too far to close', '```\n     ```\n```\n<!-- hidden -->\n```'],
  ['behind a fence that no space follows', '```\n```\u00A0\n```\n<!-- hidden -->\n```'],
  ['behind a fence with an odd line separator', '~~~ \u2028\n~~~\n<!-- hidden -->\n~~~'],
  ['in a quoted block that ends early', '> ```\n<!-- hidden -->\n> ```'],
])('a comment that only seems to be in code is removed %s', (_name, text) => {
  expect(stripHidden(text)).not.toContain('hidden');
});

test('CRLF and CR become LF', () => {
  expect(stripHidden('a\r\nb\rc')).toBe('a\nb\nc');
});

const piece = fc.constantFrom(
  ...[
    '[x]',
    '[y]',
    ': ',
    '[//]: # ',
    '(',
    ')',
    '"',
    '<>',
    '> ',
    '- ',
    '#',
    '<?',
    '?>',
    '<!X',
    '<![CDATA[',
    ']]>',
    '->',
  ],
  ...['<!--', '-->', '<!', '<', '--', '>', '`', '```', '~~~', '\n', '\r', ' ', 'a', '\\', '[a](b)', '|', '1'],
  ...[
    '\u200B',
    '\u200C',
    '\u200D',
    '\uFE0F',
    '\u20E3',
    '\u202E',
    '\u00AD',
    '\u0645',
    '\u0915',
    '\u094D',
    '\u{E0100}',
    '\0',
    '\uD83D',
  ],
  ...['\u{1F3F4}', tags('gbeng'), tags('x'), '\u{E007F}', '\u{1F469}', '\u{1F4BB}', '\u{1F3FD}', '\u2764', '\u{1F1E9}'],
);
const hostile = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const anything = fc.oneof(hostile, fc.string({ unit: 'binary' }));

test('stripHidden is idempotent', () => {
  fc.assert(
    fc.property(anything, (text) => {
      expect(stripHidden(stripHidden(text))).toBe(stripHidden(text));
    }),
    { numRuns: 2_000 },
  );
});

const forbidden: [number, number][] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xd800, 0xdfff],
  [0xe0000, 0xe0fff],
];
const isForbidden = (point: number) => forbidden.some(([from, to]) => from <= point && point <= to);

test('invisible characters remain only in emoji and between joined letters', () => {
  const joiner = /(?<![\u0600-\u0DFF])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])|(?<!\p{Emoji})\uFE0F/u;
  fc.assert(
    fc.property(anything, (text) => {
      const rest = stripHidden(text).replaceAll(england, '');
      expect([...rest].filter((character) => isForbidden(character.codePointAt(0) ?? 0))).toEqual([]);
      expect(rest.replace(/\p{RGI_Emoji}/gv, '')).not.toMatch(joiner);
    }),
    { numRuns: 2_000 },
  );
});

test('promise 7: a text that takes too long loses its markup, and with it what it hides', async () => {
  const tooLong = () => Promise.reject(new ThreadTimeout('too long'));
  const text = 'Fix a <b title="hidden">b</b>.\n![hidden](/c "hidden")\n[d](/e "hidden")\n<!--\nhidden\n-->\n\u200Bf';
  const shown = await stripHiddenInThread(text, tooLong, new AbortController().signal);
  expect(shown).toBe('Fix a b.\nhidden\nd\n\nf');
});

test('a text keeps its markup while all threads are taken: the call is made again', async () => {
  const busy = () => Promise.reject(new ThreadsBusy('many wait'));
  await expect(stripHiddenInThread('a <b>b</b>', busy, new AbortController().signal)).rejects.toThrow(ThreadsBusy);
});

test('what has no markup hides nothing', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const plain = withoutMarkup(text);
      expect(stripHidden(plain)).toBe(plain);
    }),
  );
});
