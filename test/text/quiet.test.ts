import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quiet, quietCode, quietMarkdown, quietPlain, quietQuote } from '../../src/text/quiet.ts';

test.each<[string, string, string]>([
  ['a mention', 'cc @rita', 'cc @<!-- -->rita'],
  ['an issue', 'see #12 and acme/docs#3', 'see #<!-- -->12 and acme/docs#<!-- -->3'],
  ['the other form of an issue', 'fixes GH-12', 'fixes GH-<!-- -->12'],
  ['an issue that its address would close', 'Fixes: https://x.test/issues/1', 'Fixes<!-- -->: https://x.test/issues/1'],
  ['HTML', '<b onclick="x()">&amp;</b>', '&lt;b onclick="x()"&gt;&amp;amp;&lt;/b&gt;'],
  ['a comment', 'a<!-- b -->c', 'a&lt;!-- b --&gt;c'],
  ['an address and a heading, which are neither', 'a @ b, # Title, C#', 'a @ b, # Title, C#'],
])('quiet shows %s as it was written, and nobody is called', (_name, given, expected) => {
  expect(quiet(given)).toBe(expected);
});

test.each<[string, string, string]>([
  ['a heading, a list and a link', '# A\n\n- [b](c.md)', '# A\n\n- [b](c.md)'],
  ['a comment', 'a<!-- hidden -->b', 'ab'],
  ['a comment inside a comment', 'a<!<!-- x -->-- hidden -->b', 'ab'],
  ['a comment that never ends', 'a<!-- hidden', 'a'],
  ['a mention in code, which no comment may show in', '`npm i @acme/x`', '`npm i @\u200Bacme/x`'],
])('quietMarkdown leaves the Markdown of %s, without what is hidden', (_name, given, expected) => {
  expect(quietMarkdown(given)).toBe(expected);
});

const piece = fc.constantFrom(
  ...[
    '@',
    'rita',
    '#',
    '12',
    'GH-',
    'fixes ',
    'Closes: ',
    'https://x.test/issues/1',
    '<!--',
    '-->',
    '<!-',
    '- ',
    '<',
    '>',
    '!',
    '--',
  ],
  ...['`', '``', '```', '~~~', '\n', '\n\n', '\\', '&', ' ', 'a', '<b>', '<!---->', '<!-- pagewright:end -->'],
);
const hostile = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

const reference = /@[a-z0-9]|#\d|\bGH-\d|\b(close[sd]?|fix(es|ed)?|resolve[sd]?):? +https?:/i;

test.each([
  ['quiet', quiet],
  ['quietMarkdown', quietMarkdown],
  ['quietPlain', quietPlain],
])('%s leaves no mention and no reference that could close an issue', (_name, quieten) => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(quieten(text)).not.toMatch(reference);
    }),
  );
});

test.each([
  ['quiet', quiet],
  ['quietMarkdown', quietMarkdown],
])('%s leaves no HTML comment but its own empty ones', (_name, quieten) => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(quieten(text).replaceAll('<!-- -->', '')).not.toContain('<!--');
    }),
  );
});

test('a title that is quieted in every run is changed by the first', () => {
  expect(quietPlain('---->>')).toBe(quietPlain(quietPlain('---->>')));
  fc.assert(
    fc.property(hostile, (text) => {
      expect(quietPlain(quietPlain(text))).toBe(quietPlain(text));
    }),
  );
});

test.each<[string, string, string]>([
  ['a path', 'docs/a.md', '`docs/a.md`'],
  ['a mention, which counts for nothing in code', 'docs/@rita.md', '`docs/@rita.md`'],
  ['backticks', 'a`b``c', '``` a`b``c ```'],
  ['line breaks', 'a\n\n# b', '`a # b`'],
  ['characters that do not show', 'a\u202Eb', '`ab`'],
  ['nothing', '', '` `'],
])('quietCode shows %s as one piece of code', (_name, given, expected) => {
  expect(quietCode(given)).toBe(expected);
});

test.each<[string, string, string]>([
  ['several lines', 'a\n\nb', '> a\n>\n> b'],
  ['a link', '[a](https://x.test)', '> \\[a\\](https:<!-- -->//x.test)'],
  ['an image', '![a](b)', '> \\!\\[a\\](b)'],
  ['a bare address', 'see www.x.test', '> see www.<!-- -->x.test'],
  ['a fence', '```\na', '> \\`\\`\\`\n> a'],
  ['a heading and a list', '# a\n- b\n1. c', '> \\# a\n> \\- b\n> 1\\. c'],
  ['HTML and a mention', '<b>@rita</b>', '> &lt;b&gt;@<!-- -->rita&lt;/b&gt;'],
])('quietQuote shows %s as text that is quoted', (_name, given, expected) => {
  expect(quietQuote(given)).toBe(expected);
});

test('a quotation has no line outside of it, no link, no mention and no code', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const quoted = quietQuote(text);
      expect(quoted.split('\n').every((line) => line.startsWith('>'))).toBe(true);
      expect(quoted).not.toMatch(reference);
      expect(quoted).not.toContain('://');
      expect(quoted.replaceAll(/\\[\s\S]/g, '')).not.toMatch(/[`[\]*_]/);
    }),
  );
});
