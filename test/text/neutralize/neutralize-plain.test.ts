import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutgoingContext } from '../../../src/text/neutralize/addresses.ts';
import { neutralizePlain } from '../../../src/text/neutralize/neutralize-plain.ts';
import { hostileMarkdown } from './hostile-markdown.ts';

const context = { repository: 'https://github.com/acme/docs', allowedHosts: ['acme.dev'] };
const neutralize = (text: string) => neutralizePlain(text, context);

test.each<[string, string]>([
  ['a title', 'Fix & improve HTTP headers, C# too'],
  ['an address of GitHub', 'See https://github.com/acme/docs/blob/main/a.md.'],
  ['an address that the pages use', 'See https://acme.dev/a.'],
  ['words like a command', '[skip the rest], how skip-checks works, a/b'],
])('%s is kept as it is', (_name, text) => {
  expect(neutralize(text)).toBe(text);
});

test.each<[string, string, string]>([
  ['a mention', 'cc @rita', 'cc @\u200Brita'],
  ['an issue', 'Fixes #12 and GH-3', 'Fixes #\u200B12 and GH-\u200B3'],
  ['an address elsewhere', 'See https://evil.test/x', 'See https\u200B://evil.test/x'],
  ['one without a scheme', 'www.evil.test', 'www\u200B.evil.test'],
  ['another scheme', 'ftp://evil.test', 'ftp\u200B://evil.test'],
  ['the address of an issue', 'fixes https://github.com/a/b/issues/1', 'fixes https\u200B://github.com/a/b/issues/1'],
  ['a command', 'a\n/lgtm', 'a\n\u200B/lgtm'],
  ['words that skip checks', 'A [skip  CI]\n\n\nskip-checks: true', 'A [\u200Bskip  CI]\n\n\nskip\u200B-checks: true'],
  ['invisible characters', 'a\u202Eb\u{E0041}', 'ab'],
  ['a marker', 'A <!-- pagewright:end -->', 'A  pagewright:end '],
])('promise 19: GitHub acts on nothing in a title or commit message: %s', (_name, text, expected) => {
  expect(neutralize(text)).toBe(expected);
});

test.each<[string, OutgoingContext['references'], string, string]>([
  ['a named one stays', [12], 'Say 90 (#12), not #13', 'Say 90 (#12), not #\u200B13'],
  ['one of a convention stays', 'all', 'Say 90 (#598)', 'Say 90 (#598)'],
  [
    'one after a closing keyword does not',
    'all',
    'Fixes (#12) and closes: #13',
    'Fixes (#\u200B12) and closes: #\u200B13',
  ],
  ['one of another repository does not', 'all', 'See acme/api#12', 'See acme/api#\u200B12'],
  ['one at the beginning does not', 'all', '#12 is done', '#\u200B12 is done'],
  ['the sixth does not', 'all', 'a #1 #2 #3 #4 #5 #6 #1', 'a #1 #2 #3 #4 #5 #\u200B6 #1'],
])('of references of the repository, %s', (_name, references, text, expected) => {
  const own = neutralizePlain(text, { ...context, references });
  expect(own).toBe(expected);
  expect(neutralizePlain(own, { ...context, references })).toBe(expected);
});

test('neutralizing plain text twice changes nothing', () => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      expect(neutralize(neutralize(text))).toBe(neutralize(text));
    }),
  );
});

test('promise 19: no plain text keeps a mention, a reference or an address elsewhere', () => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      expect(neutralize(text)).not.toMatch(/@[a-z0-9]|#\d|(?<![a-z0-9])GH-\d|(?<!\u200B):\/\/[a-z.@]*evil|www\.[a-z]/i);
    }),
  );
});
