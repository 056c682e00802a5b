import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  neutralize,
  neutralizeCode,
  neutralizeMarkdown,
  neutralizePlain,
  neutralizeQuote,
} from '../../src/text/neutralize.ts';

test.each<[string, string, string]>([
  ['a mention', 'cc @rita', 'cc @<!-- -->rita'],
  ['an issue', 'see #12 and acme/docs#3', 'see #<!-- -->12 and acme/docs#<!-- -->3'],
  ['the other form of an issue', 'fixes GH-12', 'fixes GH-<!-- -->12'],
  ['an issue that its address would close', 'Fixes: https://x.test/issues/1', 'Fixes<!-- -->: https://x.test/issues/1'],
  [
    'one far behind the word',
    `fixes ${' '.repeat(50)}\nhttps://x.test/issues/1`,
    `fixes<!-- --> ${' '.repeat(50)}\nhttps://x.test/issues/1`,
  ],
  ['a word that keeps the checks from running', '[skip ci]', '[<!-- -->skip ci]'],
  ['HTML', '<b onclick="x()">&amp;</b>', '&lt;b onclick="x()"&gt;&amp;amp;&lt;/b&gt;'],
  ['a comment', 'a<!-- b -->c', 'a&lt;!-- b --&gt;c'],
  ['an address and a heading, which are neither', 'a @ b, # Title, C#', 'a @ b, # Title, C#'],
])('neutralize shows %s as written and mentions nobody', (_name, input, expected) => {
  expect(neutralize(input)).toBe(expected);
});

test.each<[string, string, string]>([
  ['a heading, a list and a link', '# A\n\n- [b](c.md)', '# A\n\n- [b](c.md)'],
  ['a comment', 'a<!-- hidden -->b', 'ab'],
  ['a comment inside a comment', 'a<!<!-- x -->-- hidden -->b', 'ab'],
  ['a comment that never ends', 'a<!-- hidden', 'a'],
  ['a mention in code, which no comment may show in', '`npm i @acme/x`', '`npm i @\u200Bacme/x`'],
  ['what follows an empty comment', 'a<!-->b-->c<!--->d', 'ab-->cd'],
  ['an address between angle brackets', 'see <https://x.test/a>', 'see <https://x.test/a>'],
  ['a comparison', 'a < b, a <= b, 1<2', 'a < b, a <= b, 1<2'],
  ['signs and dashes by name or number', '&#42; &#124; &nbsp;&mdash;&#8212;', '&#x2a; &#x7c; &nbsp;&mdash;&#x2014;'],
  [
    'HTML in code',
    'Use `<Tabs>`:\n\n```mdx\n<Tabs a="&quot;">\n```',
    'Use `<Tabs>`:\n\n```mdx\n<Tabs a="&quot;">\n```',
  ],
  ['code in a list', '- a\n\n  ```\n  b\n  ```\n\n2. c', '- a\n\n  ```\n  b\n  ```\n\n2. c'],
  ['lines of Windows', 'a\r\nb\rc', 'a\nb\nc'],
])('neutralizeMarkdown keeps the Markdown of %s and removes hidden text', (_name, input, expected) => {
  expect(neutralizeMarkdown(input)).toBe(expected);
});

test.each<[string, string, string]>([
  ['an at sign by name', '&commat;octocat', '@<!-- -->octocat'],
  ['one by number', '&#64; &#x0040;octocat', '@<!-- --> @<!-- -->octocat'],
  ['a letter of a name', '@&#x6f;ctocat', '@<!-- -->o<!-- -->ctocat'],
  ['a reference inside a reference', '@&#x&#54;f;ctocat', '@<!-- -->&#x6<!-- -->f;ctocat'],
  ['two letters in one', '@&fjlig;ord', '@<!-- -->fj<!-- -->ord'],
  ['the sign of an issue by name', 'closes &num;1', 'closes\u200B #<!-- -->1'],
  ['one by number', 'closes &#x23;1 &#35;2', 'closes\u200B #<!-- -->1 #<!-- -->2'],
  ['what only begins like a reference', 'closes &#1', 'closes &#<!-- -->1'],
  ['the other form of an issue', 'GH&#45;1 &#71;H-1', 'GH-<!-- -->1 G<!-- -->H-1'],
  ['one with a backslash', 'GH\\-1', 'GH\\-<!-- -->1'],
  ['one in italics', '_GH-1_', '_GH-<!-- -->1_'],
  ['a space by name', 'closes&nbsp;https://x.test/issues/1', 'closes\u200B&nbsp;https://x.test/issues/1'],
  ['many spaces', `fixes${' '.repeat(60)}https://x.test/1`, `fixes\u200B${' '.repeat(60)}https://x.test/1`],
  ['italics', '_fixes_ _https://x.test/1_', '_fixes\u200B_ _https://x.test/1_'],
  ['the end of a link', '[fixes](a) https://x.test/1', '[fixes\u200B](a) https://x.test/1'],
  ['two lines', 'fixes\nhttps://x.test/1', 'fixes\u200B\nhttps://x.test/1'],
  ['a colon by name', 'fixes https&colon;//x.test/1', 'fixes\u200B https:<!-- -->//x.test/1'],
  ['code that may be none', '\\`a` &commat;rita `b`', '\\`a` &\u200Bcommat;rita `b`'],
  ['code behind a doubt', '$a `&commat;rita`', '$a `&\u200Bcommat;rita`'],
  ['a word that keeps the checks from running', '[Skip CI]', '[\u200BSkip CI]'],
])('neutralizeMarkdown neutralizes %s', (_name, input, expected) => {
  expect(neutralizeMarkdown(input)).toBe(expected);
});

test.each<[string, string, string]>([
  ['an image', '<img src="https://x.test/a">', '&lt;img src="https://x.test/a">'],
  ['what folds the rest away', '<details>', '&lt;details>'],
  ['the end of an element', 'a</td>', 'a&lt;/td>'],
  ['an instruction', '<?php ?>', '&lt;?php ?>'],
  ['a declaration', '<!DOCTYPE html><![CDATA[a]]>', '&lt;!DOCTYPE html>&lt;![CDATA[a]]>'],
  ['what a reference makes', '<&#105;mg src=a>', '&lt;i<!-- -->mg src=a>'],
  ['an address that is none', '<https://x.test a>', '&lt;https://x.test a>'],
  ['a tag in code behind a doubt', '$a `<img>`', '$a `<\u200Bimg>`'],
  ['a tag in code of a list', '- ```\n  <img>\n  ```', '- ```\n  <\u200Bimg>\n    ```'],
])('promise 19: neutralizeMarkdown shows %s as text', (_name, input, expected) => {
  expect(neutralizeMarkdown(input)).toBe(expected);
});

test.each<[string, string, string]>([
  ['backticks', 'a\n```js\nb', 'a\n```js\nb\n```'],
  ['tildes', '~~~~\n~~~\nb', '~~~~\n~~~\nb\n~~~~'],
  ['one that only seems to be closed', '```\n``` a\n    ```', '```\n``` a\n    ```\n```'],
  ['one behind the mark of a list', '- ```\n  a', '- ```\n  a\n    ```'],
  ['one in a list that a line would end', '- a\n  ```\nb\n```\nc', '- a\n  ```\n  b\n  ```\nc'],
  ['one behind a number that is none', 'a\n2. ```\nb', 'a\n\n2. ```\n   b\n    ```'],
  ['one that ends far from the margin', 'a\n   ```\n      ```\na', 'a\n   ```\n   ```\na'],
  ['one behind a tab, which is text', 'a\n\n\t```\na\n```', 'a\n\n\t```\n    a\n    ```'],
  ['one behind a comment', '<!-- a -->    ```\nb', '```\nb\n```'],
  ['one that an old line end opens', 'a\r```\rb', 'a\n```\nb\n```'],
])('an open code block is closed: %s', (_name, input, expected) => {
  expect(neutralizeMarkdown(input)).toBe(expected);
});

test.each<[string, string]>([
  ...['[skip ci]', '[ci skip]', '[no ci]', '[skip actions]', '[actions skip]', '[SKIP CI]', '[Skip\tActions]'].map(
    (word): [string, string] => [word, `Fix it [\u200B${word.slice(1)}`],
  ),
])('neutralizePlain keeps %j from skipping checks', (word, expected) => {
  expect(neutralizePlain(`Fix it ${word}`)).toBe(expected);
});

test.each(['skip-checks: true', 'Skip-Checks:true', 'skip-checks : true'])(
  'neutralizePlain keeps the line %j from switching the checks off',
  (line) => {
    expect(neutralizePlain(`A\n\n\n${line}`)).toBe(`A\n\n\n${line.slice(0, 4)}\u200B${line.slice(4)}`);
  },
);

test.each(['Fix & improve', 'Fix HTTP headers', '[skip the rest]', 'How skip-checks works'])(
  'neutralizePlain leaves %j as it is',
  (title) => {
    expect(neutralizePlain(title)).toBe(title);
  },
);

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
  ...['&commat;', '&#64;', '&#x40;', '&num;', '&#35;', '&#X023;', '&nbsp;', '&colon;', '&#45;', '&#49;', '&#x72;ita'],
  ...[
    '&#',
    '&#x',
    ';',
    'x',
    '[skip ci]',
    '[',
    'ci ',
    ' skip',
    ']',
    'skip-checks',
    ':',
    ' true',
    '_',
    '<img src=a>',
    '<?',
  ],
  ...[
    '</',
    '<![CDATA[',
    '- ',
    '2. ',
    '> ',
    '  ',
    '    ',
    '\t',
    '\r',
    '    ```',
    '   ~~~',
    '$',
    '|',
    '(',
    '<https://x.test>',
  ],
);
const hostile = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

const reference =
  /@[a-z0-9]|#\d|(?<![a-z0-9])GH-\d|(?<![a-z0-9])(close[sd]?|fix(es|ed)?|resolve[sd]?)[^a-z0-9\u200B<]+https?:/i;
const command = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks:/im;

/** As a reader of Markdown does it outside of code. https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references */
function decode(text: string): string {
  const names = new Map([
    ['commat', '@'],
    ['num', '#'],
    ['colon', ':'],
    ['nbsp', ' '],
  ]);
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return names.get(name) ?? whole;
    return String.fromCodePoint(Math.min(decimal ? Number(decimal) : Number.parseInt(hex, 16), 0xffff));
  });
}

test.each([
  ['neutralize', neutralize],
  ['neutralizeMarkdown', neutralizeMarkdown],
  ['neutralizePlain', neutralizePlain],
])('%s leaves no mention and no reference that could close an issue', (_name, neutralizer) => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(neutralizer(text)).not.toMatch(reference);
      expect(neutralizer(text)).not.toMatch(command);
    }),
    { examples: [['skip-checks&colon;']] },
  );
});

/** From the first sign of code on what is left may be code, where nothing is decoded. */
const isProse = (text: string) => !/[`~]/.test(text);

test('neutralizeMarkdown leaves no mention or reference after decoding', () => {
  fc.assert(
    fc.property(hostile.filter(isProse), (text) => {
      expect(decode(neutralizeMarkdown(text))).not.toMatch(reference);
    }),
    { numRuns: 2_000 },
  );
});

test('promise 19: neutralizeMarkdown leaves no HTML', () => {
  fc.assert(
    fc.property(hostile.filter(isProse), (text) => {
      // Something else in their place: what stood around them must not be read as one.
      const shown = neutralizeMarkdown(text)
        .replaceAll('<!-- -->', '·')
        .replace(/<https?:[^<>\s]*>/g, '·');
      expect(shown).not.toMatch(/<[a-z/?!]/i);
    }),
    { numRuns: 2_000 },
  );
});

test('text after a neutralized text is outside of its code', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      let open: string | undefined;
      for (const line of `${neutralizeMarkdown(text).trim()}\n\n## Ours`.split('\n')) {
        const run = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
        if (open === undefined) open = run;
        else if (run?.startsWith(open) && /^ {0,3}[`~]+[ \t]*$/.test(line)) open = undefined;
      }
      expect(open).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, string]>([
  ['spaces behind a word', `${'fixes'}${' '.repeat(60)}`],
  ['words', 'fix '],
  ['references', 'fix&fix;'],
  ['brackets', '[ skip '],
  ['openings', '<'],
  ['addresses', '<https://'],
  ['fences far from the margin', `${' '.repeat(200)}\`\`\`\na\n`],
  ['marks of lists', '- '],
  ['backticks', '` `` '],
  ['definitions', '[//]: # (\n'],
])('neutralizing 65,536 characters of %s is fast', (_name, unit) => {
  const text = unit.repeat(Math.ceil(65_536 / unit.length));
  const start = performance.now();
  neutralizeMarkdown(text);
  neutralizePlain(text);
  neutralize(text);
  neutralizeMarkdown(`fixes${' '.repeat(65_536)}`);
  expect(performance.now() - start).toBeLessThan(1_500);
});

test.each([
  ['neutralize', neutralize],
  ['neutralizeMarkdown', neutralizeMarkdown],
])('%s leaves no HTML comments except its own empty ones', (_name, neutralizer) => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(neutralizer(text).replaceAll('<!-- -->', '')).not.toContain('<!--');
    }),
  );
});

test('neutralizePlain is idempotent', () => {
  expect(neutralizePlain('---->>')).toBe(neutralizePlain(neutralizePlain('---->>')));
  fc.assert(
    fc.property(hostile, (text) => {
      expect(neutralizePlain(neutralizePlain(text))).toBe(neutralizePlain(text));
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
])('neutralizeCode shows %s as one code span', (_name, input, expected) => {
  expect(neutralizeCode(input)).toBe(expected);
});

test.each<[string, string, string]>([
  ['several lines', 'a\n\nb', '> a\n>\n> b'],
  ['a link', '[a](https://x.test)', '> \\[a\\](https:<!-- -->//x.test)'],
  ['an image', '![a](b)', '> \\!\\[a\\](b)'],
  ['a bare address', 'see www.x.test', '> see www.<!-- -->x.test'],
  ['a fence', '```\na', '> \\`\\`\\`\n> a'],
  ['a heading and a list', '# a\n- b\n1. c', '> \\# a\n> \\- b\n> 1\\. c'],
  ['HTML and a mention', '<b>@rita</b>', '> &lt;b&gt;@<!-- -->rita&lt;/b&gt;'],
])('neutralizeQuote shows %s as quoted text', (_name, input, expected) => {
  expect(neutralizeQuote(input)).toBe(expected);
});

test('every line of a quotation is quoted and has no link, mention or code', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const quoted = neutralizeQuote(text);
      expect(quoted.split('\n').every((line) => line.startsWith('>'))).toBe(true);
      expect(quoted).not.toMatch(reference);
      expect(quoted).not.toContain('://');
      expect(quoted.replaceAll(/\\[\s\S]/g, '')).not.toMatch(/[`[\]*_]/);
    }),
  );
});
