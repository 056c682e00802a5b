import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkChange } from '../../../src/docs/check-change.ts';
import { createDocumentation } from '../../../src/docs/documentation.ts';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { moveSection, type SectionInput } from '../../../src/docs/moves/section/move-section.ts';
import { createSiteLookup } from '../../../src/docs/questions/list-references.ts';
import { createAnchorTest } from '../../../src/docs/sites/anchors.ts';
import { resolveLink } from '../../../src/docs/sites/resolve-link.ts';
import { rowsOf, tuplesOf } from '../support/rows-of.ts';
import { buildSite, pathOf, styles, toTree } from './small-sites.ts';

/** All files after the move, or why it is refused. */
function move(
  files: Record<string, string>,
  input: SectionInput,
): { files: Record<string, string>; problems: string[] } | string {
  const base = toTree(new Map(Object.entries(files)));
  const moved = moveSection(createDocumentation({ base, head: base }).with(new Map()), input);
  if (moved.kind === 'refused') return moved.reason;
  const after = { ...files };
  for (const { path, text } of moved.pages) after[path] = text;
  for (const { file, edits } of moved.move.edits) after[file] = applyEdits(after[file] ?? '', edits);
  const { problems } = checkChange({ base, head: toTree(new Map(Object.entries(after))) });
  return {
    files: Object.fromEntries(Object.entries(after).filter(([path, text]) => files[path] !== text)),
    problems: problems
      .filter(({ kind }) => kind !== 'unlisted')
      .map(({ file, line, message }) => `${file}:${line}: ${message}`)
      .concat(moved.move.left.map(({ file, line, why }) => `${file}:${line} left (${why})`)),
  };
}

const mkdocs = { 'mkdocs.yml': 'site_name: x\nnav: [index.md, a.md, b.md]\n' };
const sphinx = { 'conf.py': "extensions = ['myst_parser']\n" };

interface Case {
  files: Record<string, string>;
  input: SectionInput;
  after: Record<string, string>;
}

const cases = rowsOf<Case>({
  'definitions of links come along, and stay where they are needed, too': {
    files: {
      ...mkdocs,
      'docs/index.md': '# Home\n\n[x](a.md#two)\n',
      'docs/a.md':
        '# A\n\n## One\n\n[both][b]\n\n## Two\n\n[only][o], [both][b]\n\n[o]: sub/c.md\n[b]: sub/c.md#c\n[n]: index.md\n',
      'docs/sub/b.md': '# B\n\ntext\n',
      'docs/sub/c.md': '# C\n',
    },
    input: { path: 'docs/a.md', heading: 'Two', to: 'docs/sub/b.md' },
    after: {
      'docs/index.md': '# Home\n\n[x](sub/b.md#two)\n',
      'docs/a.md': '# A\n\n## One\n\n[both][b]\n\n[b]: sub/c.md#c\n',
      'docs/sub/b.md': '# B\n\ntext\n\n## Two\n\n[only][o], [both][b]\n\n[o]: c.md\n[n]: ../index.md\n\n[b]: c.md#c\n',
    },
  },
  'a footnote gets a new label where its own is taken': {
    files: {
      ...mkdocs,
      'docs/a.md': '# A\n\n## Two\n\nSo it is.[^1]\n\n## Three\n\ntext\n\n[^1]: Since May,\n    or June.\n',
      'docs/b.md': '# B\n\nIt is.[^1]\n\n[^1]: Since April.\n',
    },
    input: { path: 'docs/a.md', heading: '## Two', to: 'docs/b.md', after: 'B' },
    after: {
      'docs/a.md': '# A\n\n## Three\n\ntext\n\n',
      'docs/b.md':
        '# B\n\nIt is.[^1]\n\n[^1]: Since April.\n\n## Two\n\nSo it is.[^2]\n\n[^2]: Since May,\n    or June.\n',
    },
  },
  'headings get the level of their new place, and a second one its own anchor': {
    files: {
      'README.md': '[a](a.md#use) [b](b.md#use) [c](a.md#use-1)\n',
      'a.md': '# A\n\n### Use\n\n#### Deep\n\n[up](#use)\n\nOther\n-----\n\n### Use\n',
      'b.md': '# B\n\n## Use\n\ntext\n',
    },
    input: { path: 'a.md', heading: '3', to: 'b.md' },
    after: {
      'README.md': '[a](b.md#use-1) [b](b.md#use) [c](a.md#use)\n',
      'a.md': '# A\n\nOther\n-----\n\n### Use\n',
      'b.md': '# B\n\n## Use\n\ntext\n\n## Use\n\n### Deep\n\n[up](#use-1)\n',
    },
  },
  'a new page takes its heading as title, and the imports that it needs': {
    files: {
      'docusaurus.config.js': 'export default {};\n',
      'docs/a.mdx':
        "---\ntitle: A\n---\n\nimport Tabs from '@theme/Tabs';\nimport Part from './_part.mdx';\n\n## Two: {#two}\n\n<Part />\n\n### Deep\n\n[deep](#deep)\n\n## Three\n\n<Tabs />, [two](#two), [deep](#deep)\n",
      'docs/_part.mdx': 'text\n',
    },
    input: { path: 'docs/a.mdx', heading: 'Two:', to: 'docs/sub/two.mdx' },
    after: {
      'docs/a.mdx':
        "---\ntitle: A\n---\n\nimport Tabs from '@theme/Tabs';\nimport Part from './_part.mdx';\n\n## Three\n\n<Tabs />, [two](sub/two.mdx), [deep](sub/two.mdx#deep)\n",
      'docs/sub/two.mdx':
        '---\ntitle: "Two:"\n---\n\nimport Part from \'../_part.mdx\';\n\n<Part />\n\n## Deep\n\n[deep](#deep)\n',
    },
  },
  'an import in the section stays for the rest of the page, too': {
    files: {
      'docusaurus.config.js': 'export default {};\n',
      'docs/a.mdx': '# A\n\n<Card />\n\n## Two\n\nimport Card from "x";\n\n<Card />\n',
      'docs/b.mdx': '# B\n',
    },
    input: { path: 'docs/a.mdx', heading: 'Two', to: 'docs/b.mdx' },
    after: {
      'docs/a.mdx': 'import Card from "x";\n\n# A\n\n<Card />\n',
      'docs/b.mdx': '# B\n\n## Two\n\nimport Card from "x";\n\n<Card />\n',
    },
  },
  'titles of reStructuredText get the marks of their new page, and labels move with them': {
    files: {
      ...sphinx,
      'index.rst': 'Home\n====\n\n.. toctree::\n\n   a\n   sub/b\n\nSee :ref:`two`.\n',
      'a.rst':
        'A\n=\n\nOne\n---\n\n.. _two:\n\nTwo\n---\n\n:doc:`index`, `docs`_ and |v|\n\nDeep\n~~~~\n\n.. image:: i.png\n\n.. _three:\n\nThree\n-----\n\n|v|\n\n.. _docs: https://acme.dev\n.. |v| replace:: 3\n'.replace(
          'A\n=\n',
          'Aaaa\n====\n',
        ),
      'sub/b.rst': '####\nBbbb\n####\n\nFirst\n=====\n\ntext\n',
      'i.png': '',
    },
    input: { path: 'a.rst', heading: 'Two', to: 'sub/b.rst' },
    after: {
      'a.rst': 'Aaaa\n====\n\nOne\n---\n\n.. _three:\n\nThree\n-----\n\n|v|\n\n.. |v| replace:: 3\n',
      'sub/b.rst':
        '####\nBbbb\n####\n\nFirst\n=====\n\ntext\n\n.. _two:\n\nTwo\n====\n\n:doc:`../index`, `docs`_ and |v|\n\nDeep\n~~~~\n\n.. image:: ../i.png\n\n.. _docs: https://acme.dev\n.. |v| replace:: 3\n',
    },
  },
  'a section of MyST takes its label along': {
    files: {
      ...sphinx,
      'index.md': '# Home\n\n```{toctree}\na\nb\n```\n\n[x](#two) and {ref}`two`, [y](a.md#two)\n',
      'a.md': '# A\n\n(two)=\n## Two\n\n[b](b.md)\n\n(three)=\n## Three\n\ntext\n',
      'b.md': '# B\n',
    },
    input: { path: 'a.md', heading: 'Two', to: 'b.md' },
    after: {
      'index.md': '# Home\n\n```{toctree}\na\nb\n```\n\n[x](#two) and {ref}`two`, [y](b.md#two)\n',
      'a.md': '# A\n\n(three)=\n## Three\n\ntext\n',
      'b.md': '# B\n\n(two)=\n## Two\n\n[b](b.md)\n',
    },
  },
  'a section of AsciiDoc moves with its id': {
    files: {
      'antora.yml': 'name: x\nversion: ~\nnav: [modules/ROOT/nav.adoc]\n',
      'modules/ROOT/nav.adoc': '* xref:a.adoc[]\n* xref:sub/b.adoc[]\n',
      'modules/ROOT/pages/a.adoc':
        '= A\n\n<<two>>\n\n[[two]]\n== Two\n\nxref:sub/b.adoc[]\n\n=== Deep\n\n[#three]\n== Three\n\nxref:a.adoc#two[x]\n',
      'modules/ROOT/pages/sub/b.adoc': '= B\n\n== First\n\ntext\n',
    },
    input: { path: 'modules/ROOT/pages/a.adoc', heading: 'Two', to: 'modules/ROOT/pages/sub/b.adoc', after: 'First' },
    after: {
      'modules/ROOT/pages/a.adoc': '= A\n\n<<sub/b.adoc#two>>\n\n[#three]\n== Three\n\nxref:sub/b.adoc#two[x]\n',
      'modules/ROOT/pages/sub/b.adoc': '= B\n\n== First\n\ntext\n\n[[two]]\n== Two\n\nxref:sub/b.adoc[]\n\n=== Deep\n',
    },
  },
  'within a page nothing else changes': {
    files: { 'a.md': '# A\n\n[two](#two)\n\n## One\n\ntext\n\n## Two\n\n[one](#one)\n', 'b.md': '[x](a.md#two)\n' },
    input: { path: 'a.md', heading: 'Two', to: 'a.md', after: '# A' },
    after: { 'a.md': '# A\n\n[two](#two)\n\n## Two\n\n[one](#one)\n\n## One\n\ntext\n' },
  },
  'entries of a summary with an anchor follow': {
    files: {
      'SUMMARY.md': '# Summary\n\n* [A](a.md)\n* [Two](a.md#two)\n* [B](sub/b.md)\n',
      '.gitbook.yaml': 'root: ./\n',
      'a.md': '# A\n\n## Two\n\ntext\n\n## Three\n',
      'sub/b.md': '# B\r\n\r\ntext\r\n',
    },
    input: { path: 'a.md', heading: 'Two', to: 'sub/b.md' },
    after: {
      'SUMMARY.md': '# Summary\n\n* [A](a.md)\n* [Two](sub/b.md#two)\n* [B](sub/b.md)\n',
      'a.md': '# A\n\n## Three\n',
      'sub/b.md': '# B\r\n\r\ntext\r\n\r\n## Two\r\n\r\ntext\r\n',
    },
  },
});

test.each(cases)('$name', ({ files, input, after }) => {
  expect(move(files, input)).toEqual({ files: after, problems: [] });
});

const refused = tuplesOf<[files: Record<string, string>, input: SectionInput, reason: string]>({
  'a heading that occurs twice': [
    { 'a.md': '# A\n\n## B\n\n## B\n', 'b.md': '' },
    { path: 'a.md', heading: 'B', to: 'b.md' },
    'a.md has several such headings; give the line of one:\n3: ## B\n5: ## B',
  ],
  'a section that ends inside of a component': [
    { 'docs.json': '{}', 'a.mdx': '## A\n\n<Tabs>\n\n## B\n\n</Tabs>\n', 'b.mdx': '' },
    { path: 'a.mdx', heading: 'A', to: 'b.mdx' },
    'the section ends inside of <Tabs>; move all of <Tabs> by edit_file',
  ],
  'a whole page': [
    { 'a.md': '---\ntitle: x\n---\n\n# A\n\n## B\n', 'b.md': '' },
    { path: 'a.md', heading: 'A', to: 'b.md' },
    'that section is the whole page; use move_file',
  ],
  'another markup': [
    { ...sphinx, 'a.rst': 'Aaaa\n====\n\nB\n--\n\nC\n--\n', 'b.md': '# B\n' },
    { path: 'a.rst', heading: 'B', to: 'b.md' },
    'a.rst and b.md are not written in the same markup; write the section there by edit_file',
  ],
  'definitions that mean something else': [
    { 'a.md': '# A\n\n## B\n\n[x][x]\n\n## C\n\n[x]: c.md\n', 'b.md': '[x]: d.md\n', 'c.md': '', 'd.md': '' },
    { path: 'a.md', heading: 'B', to: 'b.md' },
    'both a.md and b.md define [x], with other meanings; rename one first',
  ],
  'a value that only the page has': [
    { 'docs.json': '{"navigation": []}', 'a.mdx': 'export const limit = 3;\n\n## A\n\n{limit}\n\n## B\n', 'b.mdx': '' },
    { path: 'a.mdx', heading: 'A', to: 'b.mdx' },
    'the section needs limit, which b.mdx does not have and a.mdx does not import; declare it there first',
  ],
  'an import that the page has already': [
    {
      'docs.json': '{"navigation": []}',
      'a.mdx': '## A\n\nimport B from "x";\n\n<B />\n\n## C\n',
      'b.mdx': 'import B from "y";\n\n<B />\n',
    },
    { path: 'a.mdx', heading: 'A', to: 'b.mdx' },
    'b.mdx and the section both import B; remove one import first',
  ],
  'an attribute that only the page has': [
    {
      'antora.yml': 'name: x\n',
      'modules/ROOT/pages/a.adoc': '= A\n:v: 3\n\n== B\n\n{v}\n\n== C\n',
      'modules/ROOT/pages/b.adoc': '= B\n',
    },
    { path: 'modules/ROOT/pages/a.adoc', heading: 'B', to: 'modules/ROOT/pages/b.adoc' },
    'the section uses {v}, which modules/ROOT/pages/b.adoc does not define; define it there first',
  ],
});

test.each(refused)('%s is refused', (_, files, input, reason) => {
  expect(move(files, input)).toBe(reason);
});

const name = fc.constantFrom('a', 'b', 'guide/a', 'guide/use-it', 'guide/deep/c');
const link = fc.record({
  to: fc.nat(3),
  form: fc.nat(3),
  anchor: fc.constantFrom('', '#one', '#two', '#deep', '#second'),
});
const body = fc.array(link, { maxLength: 3 });
const sections = ['## One', '## Two', '### Deep', '## Three', '## Two'];

test.each(Object.keys(styles))('a section of a page of %s moves, and every link leads where it led', (framework) => {
  const style = styles[framework];
  if (style === undefined) throw new Error('no such style');
  const second = /MkDocs|Zensical/.test(framework) ? '#two_1' : '#two-1';
  const pages = fc.uniqueArray(name, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(pages, fc.array(body, { minLength: 20, maxLength: 20 }), fc.nat(3), (names, bodies, chosen) => {
      const files = buildSite(
        style,
        names.map((each) => ({ name: each, links: [] })),
      );
      for (const [index, each] of names.entries()) {
        const path = pathOf(style, each);
        const text = sections.map((heading, at) => {
          const links = (bodies[index * 5 + at] ?? []).map(({ to, form, anchor }) => {
            const target = style.forms[form % style.forms.length]?.(each, names[to % names.length] ?? each) ?? '';
            return `[link](${target.split('#')[0]}${anchor === '#second' ? second : anchor})`;
          });
          return `${heading}\n\n${links.join(' ')}\n`;
        });
        files.set(path, `${files.get(path) ?? ''}\n${text.join('\n')}`);
      }
      const [from, to] = [pathOf(style, names[0] ?? ''), pathOf(style, names[1] ?? '')];
      const heading = ['One', 'Deep', 'Three', '#two'][chosen] ?? '';
      const line = (files.get(from) ?? '').split('\n').indexOf('## Two') + 1;
      const moved = move(Object.fromEntries(files), {
        ...{ path: from, to, heading: heading === '#two' ? String(line) : heading, after: 'One' },
      });
      expect(moved).toEqual({ files: expect.anything(), problems: [] });
      const after = new Map(files);
      if (typeof moved !== 'string') for (const [path, text] of Object.entries(moved.files)) after.set(path, text);
      expect(countLeads(after)).toBe(countLeads(files));
    }),
    { numRuns: 8 },
  );
});

/** How many links lead to an anchor of a page. */
function countLeads(files: Map<string, string>): number {
  const base = toTree(files);
  const documentation = createDocumentation({ base, head: base }).with(new Map());
  const site = createSiteLookup(documentation.head);
  let total = 0;
  for (const { pages } of documentation.head.sites)
    for (const [from, page] of pages)
      for (const { target, form } of page.links) {
        const own = site(from);
        const found = own && resolveLink({ tree: base, site: own, from, target, form });
        if (
          found?.kind === 'page' &&
          found.anchor !== '' &&
          own &&
          createAnchorTest(base, site(found.path) ?? own).has(found.path, found.anchor)
        )
          total += 1;
      }
  return total;
}
