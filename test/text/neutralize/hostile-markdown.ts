import fc from 'fast-check';

const words = [
  ...[
    'a',
    'rita',
    'fixes',
    'Closes:',
    '12',
    'é',
    '修',
    '/lgtm',
    'GH-1',
    '$',
    '\\',
    '!',
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
  ],
  ...['```', '~~~', '|', '[', ']', '(', ')', '<', '>', '&', '#', '@', ':', '"', '-', '+', '1.', '\t', '    ', '\u00a0'],
];
const dangers = [
  ...['@rita', '#12', 'acme/docs#3', 'https://evil.test/x', 'www.evil.test', 'a@evil.test', 'mailto:a@evil.test'],
  ...['https://github.com/acme/docs/issues/1', 'https://github.com@evil.test/', 'https://github.com\\@evil.test'],
  ...[
    'https://acme.dev/a',
    '<https://evil.test>',
    '<a@evil.test>',
    '<img src=https://evil.test>',
    '</Frame>',
    '<!-- x -->',
  ],
  ...['<?php ?>', '<![CDATA[x]]>', '<details>', '![i](https://evil.test/i)', '[t](https://evil.test "t")'],
  ...[
    '![i](https://github.com/acme/docs/raw/m/a.png)',
    '[t](https://acme.dev "t")',
    '[t](javascript:x)',
    '[t](//evil.test)',
  ],
  ...['[t](/\\evil.test)', '[fixes](a)', '[t][r]', '[r]', '![r]', '[^1]', '\n[r]: https://evil.test "t"\n'],
  ...['\n[r]: https://acme.dev\n', '\n[^1]: note\n', '\n[//]: # (hidden)\n', '&commat;rita', '&#64;rita', '&num;1'],
  ...[
    'https&colon;//evil.test',
    '&lt;img&gt;',
    '\\@rita',
    '$\\color{white}x$',
    '](https://evil.test)',
    '<https://',
    '"t")',
  ],
];
const blocks = [
  ...['\n', '\n\n', '\n> ', '\n- ', '\n    ', '\n1. ', '\n# ', '\n---\n', '\n|a|b|\n|-|-|\n|', '\n|-|-|\n', '\n```\n'],
  ...['\n```mermaid\n', '\n~~~js\n', '\n> > ', '\n<div>\n', '\n===\n', '\n\n    ', '\n- [ ] ', '  \n', '\\\n'],
];

const word = fc.constantFrom(...words);
const danger = fc.constantFrom(...dangers);
const code = fc
  .array(fc.oneof(word, danger), { maxLength: 4 })
  .map((pieces) => `\`${pieces.join('').replace(/[`\n]/g, '')}\``);
const wrapped = fc
  .tuple(fc.constantFrom('[', '![', '*', '_', '~~', '<', '"'), fc.oneof(word, danger, code))
  .map(([mark, inner]) => (mark.endsWith('[') ? `${mark}${inner}](https://evil.test)` : `${mark}${inner}${mark}`));

/** Pieces of Markdown that lead out, hide, mention or command, in any order and nesting. */
export const hostileMarkdown = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 4, arbitrary: danger },
      { weight: 2, arbitrary: fc.constantFrom(...blocks) },
      { weight: 2, arbitrary: fc.constant(' ') },
      { weight: 1, arbitrary: code },
      { weight: 1, arbitrary: wrapped },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));
