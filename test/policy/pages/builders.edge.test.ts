import { compile } from '@mdx-js/mdx';
import MarkdownIt from 'markdown-it';
import remarkFrontmatter from 'remark-frontmatter';
import { expect, test } from 'vitest';
import { createRandom } from '../../../harness/random.ts';
import type { Dialect } from '../../../src/policy/pages/readers/dialect.ts';
import { scanPage } from '../../../src/policy/pages/scan-page.ts';
import { findLiveHtml } from '../../../trials/pages/find-live-html.ts';
import { drawNestedPage, markdown, mdx } from '../../../trials/pages/grammars/nested-pages.ts';

const plain: Dialect = {
  syntaxes: ['markdown'],
  vue: false,
  braces: false,
  mdc: false,
  templates: [],
  components: [],
  math: undefined,
  markdown: ['commonmark'],
  copiesFiles: false,
  marks: [],
  isUnknown: false,
  cells: undefined,
  layouts: [],
  titlesCode: false,
};

const isLive = (dialect: Dialect, text: string) => scanPage({ path: 'a.mdx', text, dialect }).code.length > 0;

test('promise 19: what is accepted of 10,000 nested texts runs nothing in markdown-it', () => {
  const random = createRandom(1);
  const builder = new MarkdownIt({ html: true, linkify: true });
  // The site shows addresses of every kind.
  builder.validateLink = () => true;
  let accepted = 0;
  const ran: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const text = drawNestedPage(random, markdown);
    if (isLive(plain, text)) continue;
    accepted += 1;
    if (findLiveHtml(builder.render(text), 'no secret') !== undefined) ran.push(text);
  }
  expect(ran.slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(300);
});

test('promise 19: what is accepted of 2,000 nested texts runs nothing in MDX', async () => {
  const random = createRandom(2);
  let accepted = 0;
  const ran: string[] = [];
  for (let count = 0; count < 2_000; count += 1) {
    const text = drawNestedPage(random, mdx);
    if (isLive({ ...plain, syntaxes: ['mdx'] }, text)) continue;
    const module = await compile(text, { jsxImportSource: 'react', remarkPlugins: [remarkFrontmatter] }).then(
      String,
      () => undefined,
    );
    if (module === undefined) continue;
    accepted += 1;
    // What is shown is a text of the module, or a comment.
    const code = module.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
    if (/canary/.test(code)) ran.push(text);
  }
  expect(ran.slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
});
