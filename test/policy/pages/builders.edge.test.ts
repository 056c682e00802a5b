import { compile } from '@mdx-js/mdx';
import MarkdownIt from 'markdown-it';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import remarkFrontmatter from 'remark-frontmatter';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../harness/random.ts';
import { readPage } from '../../../src/policy/pages/read-page.ts';
import type { Dialect } from '../../../src/policy/pages/readers/dialect.ts';

const plain: Dialect = {
  syntaxes: ['markdown'],
  vue: false,
  braces: false,
  templates: [],
  components: [],
  math: undefined,
  markdown: ['commonmark'],
  isUnknown: false,
};

/** Each runs, where its reader takes it for more than text. */
const kinds = {
  markdown: [
    '<img src=x onerror=canary()>',
    '<script>canary()</script>',
    '[x](javascript:canary())',
    '<a href="java&#9;script:canary()">x</a>',
    '<svg/onload=canary()>',
    '<iframe srcdoc="<b>"></iframe>',
  ],
  mdx: ['{canary()}', '<b a={canary()} />', 'export const x = canary()', "import 'canary'", '{`${canary()}`}'],
} as const;

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

type Wrapper = (text: string, mark: string) => string;

/** What a text may stand in: code for some readers, or what only looks like code. */
const wrappers: readonly [Wrapper, ...Wrapper[]] = [
  (text, mark) => `${mark}\n${text}\n${mark}`,
  (text, mark) => `${mark}js words\n${text}\n${mark}`,
  (text, mark) => `${mark}\n${text}\n${mark}${mark[0]}`,
  (text, mark) => `${mark}\n${text}`,
  (text, mark) => `  ${mark}\n${text}\n    ${mark}`,
  (text, mark) => `${mark} a\`b\n${text}\n${mark}`,
  (text) => `- ${indent(text, '  ')}`,
  (text) => `1. ${indent(text, '   ')}`,
  (text) => `7) x\n\n   ${indent(text, '   ')}`,
  (text) => `> ${indent(text, '> ')}`,
  (text) => `> ${text}`,
  (text) => `    ${indent(text, '    ')}`,
  (text) => `x\n    ${indent(text, '    ')}`,
  (text) => `\`${text}\``,
  (text) => `\`\` ${text} \`\``,
  (text) => `\\\`${text}\``,
  (text) => `\`${text}`,
  (text) => `<!-- ${text} -->`,
  (text) => `<!--\n\n${text}\n-->`,
  (text) => `<details>\n${text}\n</details>`,
  (text) => `<div>\n\n${text}\n\n</div>`,
  (text) => `<pre>\n\n${text}\n</pre>`,
  (text) => `<a title="${text}">x</a>`,
  (text) => `| a | b |\n| - | - |\n| \`${text} | x\` |`,
  (text) => `[^1]: ${indent(text, '    ')}`,
  (text) => `[x]: /y "\n${text}\n"`,
  (text) => `$${text}$`,
  (text) => `---\n${text}\n---`,
  (text) => `x\n\n${text}\n\ny`,
  (text) => `\t${text}`,
  (text) => `${text}\n${text}`,
];

function draw(random: Random, own: readonly [string, ...string[]]): string {
  let text = random.pick(own);
  for (let depth = 1 + Math.floor(random.between(0, 1) * 4); depth > 0; depth -= 1) {
    text = random.pick(wrappers)(text, random.pick(['```', '~~~', '````', '~~~~']));
    if (random.between(0, 1) < 0.2)
      text = `${random.pick(wrappers)('x', '```')}\n${random.between(0, 1) < 0.5 ? '\n' : ''}${text}`;
  }
  return `${text}\n`;
}

const isLive = (dialect: Dialect, text: string) => readPage({ path: 'a.mdx', text, dialect }).code.length > 0;

test('promise 19: what is accepted of 10,000 nested texts runs nothing in markdown-it', () => {
  const random = createRandom(1);
  const builder = new MarkdownIt({ html: true, linkify: true });
  // The site shows addresses of every kind.
  builder.validateLink = () => true;
  let accepted = 0;
  const ran: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const text = draw(random, kinds.markdown);
    if (isLive(plain, text)) continue;
    accepted += 1;
    if (runs(parseFragment(builder.render(text)))) ran.push(text);
  }
  expect(ran.slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(300);
});

function runs(root: DefaultTreeAdapterTypes.Node): boolean {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === 'script') return true;
    const attributes = 'attrs' in node ? node.attrs : [];
    if (attributes.some(({ name, value }) => /^on|^srcdoc/.test(name) || /^java\s*script:/.test(value))) return true;
    open.push(...('content' in node ? [node.content] : []), ...('childNodes' in node ? node.childNodes : []));
  }
  return false;
}

test('promise 19: what is accepted of 2,000 nested texts runs nothing in MDX', async () => {
  const random = createRandom(2);
  let accepted = 0;
  const ran: string[] = [];
  for (let count = 0; count < 2_000; count += 1) {
    const text = draw(random, kinds.mdx);
    if (isLive({ ...plain, syntaxes: ['mdx'] }, text)) continue;
    const module = await compile(text, { jsxImportSource: 'react', remarkPlugins: [remarkFrontmatter] }).then(
      String,
      () => undefined,
    );
    if (module === undefined) continue;
    accepted += 1;
    // What is shown is a text of the module.
    if (/canary/.test(module.replace(/"(?:[^"\\\n]|\\.)*"/g, '""'))) ran.push(text);
  }
  expect(ran.slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
});
