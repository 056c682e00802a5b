import { markdownToHTML } from 'comrak';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { neutralizeMarkdown } from '../../../src/text/neutralize/neutralize-markdown.ts';
import { findFaults } from './find-faults.ts';
import { hostileMarkdown } from './hostile-markdown.ts';

const context = { repository: 'https://github.com/acme/docs', allowedHosts: ['acme.dev'] };
const neutralize = (text: string) => neutralizeMarkdown(text, context);

const dangerous = { allowDangerousHtml: true, allowDangerousProtocol: true };
const renderers: [string, (text: string) => string][] = [
  ['micromark', (text) => micromark(text, { ...dangerous, extensions: [gfm()], htmlExtensions: [gfmHtml()] })],
  // A port of cmark-gfm, which GitHub uses.
  [
    'comrak',
    (text) =>
      markdownToHTML(text, {
        extension: { autolink: true, footnotes: true, strikethrough: true, table: true, tasklist: true },
        render: { unsafe: true },
      }),
  ],
];

/** Each stands for a break that a version of this code had. */
const seeds = [
  '![a](https://evil.test/a.png)',
  '[//]: # (hidden)\n\n[a](https://evil.test "hidden")',
  '```"`@rita`"`@rita`',
  '|a|b|\n|-|-|\n|\n    [@rita](https://evil.test)',
  'https://acme.dev\u00a0a',
  '> @rita\n$$\n\\x\n$$\n/lgtm',
  '/lgtm\n===\n',
  '&#12[;@rita](https://evil.test)',
  '[https://github.com/acme/docs/@rita',
  'Closes:[t](https://acme.dev "t")https://github.com/acme/docs/issues/1',
  '[Closes](https://acme.dev) https://github.com/acme/docs/issues/1',
  '`Closes:`https://github.com/acme/docs/issues/1',
];

test.each(renderers)('promise 19: no text makes %s render a link, an image or a mention', (_name, render) => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      expect(findFaults(render(neutralize(text)))).toEqual([]);
    }),
    { numRuns: 400, examples: seeds.map((seed): [string] => [seed]) },
  );
});

test('promise 19: the test notices a text that was not neutralized', () => {
  for (const [, render] of renderers) {
    const html = render(
      '@rita #1 [a](https://evil.test "b") ![c](https://evil.test/c) <b>d</b> fixes\nhttps://github.com/acme/docs/issues/1',
    );
    expect(new Set(findFaults(html)).size).toBe(7);
  }
});

test('neutralizing twice changes nothing', () => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      expect(neutralize(neutralize(text))).toBe(neutralize(text));
    }),
    { numRuns: 300, examples: seeds.map((seed): [string] => [seed]) },
  );
});

test('code spans stay as they are in any prose', () => {
  const inCode = fc.constantFrom(
    '</Frame>',
    '@acme/x',
    '#12',
    'https://evil.test',
    '<img>',
    '![a](b)',
    '[skip ci]',
    '|',
    '$',
    '*',
  );
  const prose = fc.constantFrom(
    'Use',
    'and',
    '@rita',
    'https://evil.test',
    '**b**',
    '[a](https://evil.test)',
    '\n\n',
    '\n- ',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(prose, inCode), { maxLength: 8 }), (pairs) => {
      const text = pairs.map(([before, code]) => `${before} \`${code}\``).join(' ');
      const result = neutralize(text);
      for (const [, code] of pairs) expect(result).toContain(`\`${code}\``);
    }),
  );
});
