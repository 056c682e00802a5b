import { expect, test } from 'vitest';
import { neutralizeBounded, neutralizeMarkdown } from '../../../src/text/neutralize/neutralize-markdown.ts';

const context = { repository: 'https://github.com/acme/docs', allowedHosts: ['acme.dev'] };
const neutralize = (text: string) => neutralizeMarkdown(text, context);

const image = '![a](https://github.com/acme/docs/raw/main/a.png)';

test.each<[string, string]>([
  ['plain prose', 'It costs $5 or $6, a < b & c, C# and 50 % of "it" (see below).'],
  ['formatting', '# A\n\n- [x] *b* **c** ~~d~~\n- e\n\n1. f\n\n> g\n\n---\n\n|h|i|\n|-|-|\n|j|k|'],
  ['code', 'Use `<Frame>`, `</Frame>`, `@acme/x`, `#1`, `https://evil.test` and ``a ` b``.'],
  ['blocks of code', '```mdx\n<img src="x"> @rita #1\n```\n\n    <b>@rita</b>\n\n~~~\n/lgtm\n~~~'],
  ['links to GitHub', '[a](https://github.com/acme) <https://github.com/x> https://github.com/acme/docs/issues/1.'],
  [
    'links to repositories whose paths look alike',
    '[a](https://github.com/acme/login) https://github.com/apps/helper [b](/acme/docs/blob/main/a%20b.md)',
  ],
  ['links to hosts of the pages', '[a](https://acme.dev/x?a=1&b=2#c), https://acme.dev/a_b_c and http://acme.dev'],
  ['relative links', '[a](docs/a.md) [b](#b) [c](/acme/docs)'],
  ['an image of the repository', image],
  ['emoji', 'Done 👩‍👩‍👧 ✅'],
])('%s is kept as it is', (_name, text) => {
  expect(neutralize(text)).toBe(text);
});

test.each<[string, string, string]>([
  ['a link elsewhere', '[a](https://evil.test/x)', 'a (`https://evil.test/x`)'],
  ['a link whose text is its address', '[https://evil.test](https://evil.test)', '`https://evil.test`'],
  ['a link without text', '[](https://acme.dev/x)', '`https://acme.dev/x`'],
  ['a link with a user', '[a](https://github.com@evil.test)', 'a (`https://github.com@evil.test`)'],
  ['a link without a scheme', '[a](//evil.test)', 'a (`//evil.test`)'],
  ['a link with one slash', '[a](https:/evil.test/x)', 'a (`https:/evil.test/x`)'],
  ['a link without slashes', '[a](HTTPS:evil.test)', 'a (`HTTPS:evil.test`)'],
  ['a link with a backslash', '[a](/\\evil.test)', 'a (`/\\evil.test`)'],
  ['a script', '[a](javascript:alert(1))', 'a (`javascript:alert(1)`)'],
  ['an image elsewhere', '![a](https://evil.test/i.png)', 'a (`https://evil.test/i.png`)'],
  [
    'an image of another repository',
    '![a](https://github.com/acme/x/raw/m/a)',
    'a (`https://github.com/acme/x/raw/m/a`)',
  ],
  [
    'an image with dots',
    '![](https://github.com/acme/docs/raw/../../x/y)',
    '`https://github.com/acme/docs/raw/../../x/y`',
  ],
  ['an image in a link', `[${image}](https://evil.test)`, `${image} (\`https://evil.test\`)`],
  ['an address', 'see https://evil.test/x.', 'see `https://evil.test/x`.'],
  ['an address without a scheme', 'www.evil.test', '`www.evil.test`'],
  ['an address between angle brackets', '<https://evil.test>', '`https://evil.test`'],
  ['an e-mail address', 'a@evil.test or <b@evil.test>', '`a@evil.test` or `b@evil.test`'],
  ['an address with a character reference', 'https&colon;//evil.test', '`https://evil.test`'],
  ['an address with an escape', 'https://github.com\\@evil.test', '`https://github.com\\@evil.test`'],
  ...[
    'https://github.com/login/oauth/authorize?client_id=Iv1.x&scope=repo',
    'https://github.com/apps/helper/installations/new',
    'https://github.com/login/device',
    'https://github.com/LOGIN/oauth/authorize',
    'https://github.com//login/device',
    'https://github.com/%6Cogin%2Foauth/authorize',
    'https://github.com/acme/../login/device',
    'https://github.com/settings/apps/new?name=x',
    '/apps/helper/installations/select_target',
    '../../../../login/device',
  ].map((address): [string, string, string] => [
    `a page that grants access, ${address},`,
    `[Fix the build](${address})`,
    `Fix the build (\`${address}\`)`,
  ]),
  ['a bare address that grants access', 'https://github.com/login/device', '`https://github.com/login/device`'],
  ['a reference link elsewhere', '[a][b]\n\n[b]: https://evil.test', 'a (`https://evil.test`)'],
])('promise 19: %s is shown as code', (_name, text, expected) => {
  expect(neutralize(text)).toBe(expected);
});

test.each<[string, string, string]>([
  ['a title of a link', '[a](https://acme.dev "hidden")', '[a](<https://acme.dev>)'],
  ['a definition', 'a\n\n[//]: # (hidden)', 'a'],
  [
    'a definition that is used',
    '[a][b] and [b]\n\n[b]: https://acme.dev',
    '[a](<https://acme.dev>) and [b](<https://acme.dev>)',
  ],
  ['a footnote', 'a\n\n[^1]: hidden', 'a\n\n\\[^1]: hidden'],
  ['a comment', 'a <!-- hidden --> b', 'a &lt;!-- hidden --> b'],
  ['HTML', '<details>a</details>', '&lt;details>a&lt;/details>'],
  ['HTML in a table', '|a|\n|-|\n|<img src=x>|', '|a|\n|-|\n|&lt;img src=x>|'],
  ['invisible characters', 'a\u202Eb\u{E0041}c\u200Bd `e\u2066f`', 'abcd `ef`'],
  ['our markers, in code too', '`<!-- pagewright:end -->`', '`<!- - pagewright:end -->`'],
  ['mathematics with macros', 'a $\\color{white}b$', 'a `$`\\color{white}b`$`'],
  ['a diagram', '```mermaid\na\n```', '```text\na\n```'],
  ['an encoded diagram', '~~~mer&#109;aid\na\n~~~', '~~~text\na\n~~~'],
  ['words behind a language', '```js title="hidden"\na\n```', '```js \na\n```'],
  ['words as a language', '~~~ ignore-what-was-said-before\na\n~~~', '~~~ text\na\n~~~'],
  ['an offered change', '```suggestion\na\n```', '```text\na\n```'],
])('promise 19: nothing is hidden or drawn: %s', (_name, text, expected) => {
  expect(neutralize(text)).toBe(expected);
});

test.each<[string, string, string]>([
  ['a mention', 'cc @rita, @acme/all.', 'cc `@rita`, `@acme/all`.'],
  ['an encoded mention', '&commat;rita &#64;rita \\@rita', '`@rita` `@rita` `@rita`'],
  ['an issue', 'fixes #12, acme/docs#3 and GH-4', 'fixes `#12`, `acme/docs#3` and `GH-4`'],
  [
    'an address after a closing keyword',
    'Fixes: https://github.com/acme/docs/issues/1',
    'Fixes: `https://github.com/acme/docs/issues/1`',
  ],
  [
    'a link after a closing keyword',
    '**fixes** [x](https://github.com/acme/docs/issues/1)',
    '**fixes** x (`https://github.com/acme/docs/issues/1`)',
  ],
  [
    'an address after a closing keyword in code',
    '`Closes:` https://github.com/acme/docs/issues/1',
    '`Closes:` `https://github.com/acme/docs/issues/1`',
  ],
  ['an issue elsewhere', 'https://github.com/a/b/issues/1', '`https://github.com/a/b/issues/1`'],
  ['a command', '/lgtm\n\n/azp run\n\n/docs/a.md', '`/lgtm`\n\n`/azp` run\n\n/docs/a.md'],
  ['words that skip checks', '[skip ci] skip-checks: true', '[skip&#32;ci] skip&#45;checks: true'],
])('promise 19: GitHub acts on nothing: %s', (_name, text, expected) => {
  expect(neutralize(text)).toBe(expected);
});

test.each<[string, string, string]>([
  ['a single backtick', 'a ` b @rita c', 'a \\` b `@rita` c'],
  ['code beside a mention', '`a`@rita', '`a` `@rita`'],
  ['a backslash beside a mention', '\\rita@x', '\\ `rita@x`'],
  ['a block of code without an end', 'a\n```js\nb', 'a\n```js\nb\n```'],
  ['a block of code in a list without an end', '- ```\n  a', '- ```\n  a'],
  ['lines of Windows', 'a\r\nb\rc', 'a\nb\nc'],
])('%s does not change what is code', (_name, text, expected) => {
  expect(neutralize(text)).toBe(expected);
});

test.each<[string, string, string]>([
  ['one of a convention stays', 'Say 90 (#598).\n\n- Related: #7', 'Say 90 (#598).\n\n- Related: #7'],
  [
    'one after a closing keyword does not',
    'This **closes** #12, fixes: _#13_',
    'This **closes** `#12`, fixes: _`#13`_',
  ],
  ['one of another repository does not', 'See acme/api#12 and GH-3', 'See `acme/api#12` and `GH-3`'],
  ['the sixth does not', 'a #1 #2 #3 #4 #5 #6', 'a #1 #2 #3 #4 #5 `#6`'],
])('of references of the repository, %s', (_name, text, expected) => {
  const own = { ...context, references: 'all' } as const;
  expect(neutralizeMarkdown(text, own)).toBe(expected);
  expect(neutralizeMarkdown(expected, own)).toBe(expected);
});

test('a text that takes too many rounds is shown as it is written', () => {
  const nested = `${'['.repeat(20)}a${'](https://evil.test)'.repeat(20)}`;
  const result = neutralize(nested);
  expect(result).toMatch(/^```text\n[^`]*`/);
  expect(neutralize(result)).toBe(result);
});

test('a bounded text is cut before it is neutralized', () => {
  const result = neutralizeBounded('@rita '.repeat(1_000), 200, context);
  expect(result.length).toBeLessThanOrEqual(200);
  expect(result.replaceAll('`@rita`', '').replace('…', '').trim()).toMatch(/^[`@rita]{0,6}$/);
});
