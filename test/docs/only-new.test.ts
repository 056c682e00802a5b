import { expect, test } from 'vitest';
import { checkDocumentation } from '../../src/docs/check-change.ts';
import { checkFiles, type Files, listProblems, openTree, toTree } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const mintlify: Files = {
  'docs.json': '{"navigation":{"pages":["index", "tabs"]}}',
  'index.mdx': '# Home\n\n<Made>x</Made>\n',
  'tabs.mdx': "import { Tool } from '/snippets/tool.jsx'\n\n<Tool />\n",
  'snippets/tool.jsx': 'export const Tool = () => null;\n',
  'snippets/greeting.mdx': 'Hello {name}.\n',
};
const line = (change: Record<string, string | null>, base: Files = mintlify) => listProblems(base, change);

test('promise 31: a page that no longer parses is told, with the cure', () => {
  expect(line({ 'index.mdx': '# Home\n\nFor sizes <5 MB.\n' })).toEqual([
    'must syntax index.mdx:3 the page does not parse: Unexpected character `5` (U+0035) before name, expected a character that can start a name, such as a letter, `$`, or `_`. The line: For sizes <5 MB. Write &lt;5 for <5, or put it in code',
  ]);
});

test('a page that did not parse before is not told, wherever the parser stops now', () => {
  const base = { ...mintlify, 'index.mdx': '# Home\n\na <5\n' };
  expect(line({ 'index.mdx': '# Home\n\nNew.\n\na {b\n' }, base)).toEqual([]);
});

test('a fault that was there before is not told when its lines move', () => {
  const base = { 'README.md': '# Home\n\n```sh\na\n' };
  expect(line({ 'README.md': '# Home\n\nNew.\n\n```sh\na\n' }, base)).toEqual([]);
  expect(line({ 'README.md': '# Home\n\n```js\nb\n\n```sh\na\n' }, base)).toEqual([
    'must syntax README.md:3 the code fence is not closed before the next one opens (line 6 opens one inside of it). The line: ```js',
  ]);
});

test('a component is unknown unless the framework, a file of the site or another page has it', () => {
  const change = { 'index.mdx': '<Card>a</Card> <Made>b</Made> <Wrong>c</Wrong> <Tool />\n\n{limit}\n' };
  expect(line(change)).toEqual([
    'must component index.mdx:1 <Wrong> is neither imported here nor known to all pages. Import it, or use another component',
    "must component index.mdx:1 <Tool> is neither imported here nor known to all pages. tabs.mdx has import { Tool } from '/snippets/tool.jsx'",
    'must name index.mdx:3 {limit} is a variable that this page does not declare. Write \\{limit\\} for text, or put it in code',
  ]);
});

test('a part of pages gets its variables from the page that shows it', () => {
  const base = {
    ...mintlify,
    'tabs.mdx': "import Greeting from '/snippets/greeting.mdx'\n\n<Greeting name='Ada' />\n",
  };
  expect(line({ 'snippets/greeting.mdx': 'Hello, {name} {place}.\n' }, base)).toEqual([
    'must name snippets/greeting.mdx:1 {place} is a variable that this page does not declare. Write \\{place\\} for text, or put it in code',
  ]);
});

test.each(
  rowsOf<{ base: Files; page: string; problems: string[] }>({
    Docusaurus: {
      base: {
        'docusaurus.config.js': '',
        'src/theme/MDXComponents.js':
          "import Base from '@theme-original/MDXComponents';\nexport default { ...Base, Badge };",
        'docs/a.md': '# A\n',
      },
      page: 'docs/a.md',
      problems: [
        'must component docs/a.md:1 <Badgee> is neither imported here nor known to all pages. Did you mean <Badge>?',
      ],
    },
    Fumadocs: {
      base: {
        'source.config.ts': '',
        'components/mdx.tsx':
          "import * as TabsComponents from 'fumadocs-ui/components/tabs';\nexport function getMDXComponents() { return { ...TabsComponents, Badge }; }",
        'content/docs/a.mdx': '---\ntitle: A\n---\n\n<Tab>x</Tab>\n',
      },
      page: 'content/docs/a.mdx',
      problems: [
        'must component content/docs/a.mdx:5 <Badgee> is neither imported here nor known to all pages. Did you mean <Badge>?',
      ],
    },
  }),
)('$name: a component that is registered for all pages is known', ({ base, page, problems }) => {
  const before = base[page] ?? '';
  const front = before.includes('---') ? '---\ntitle: A\n---\n\n' : '';
  expect(listProblems({ ...base, 'x.md': '' }, { [page]: `${front}<Badge /> <Badgee />\n` })).toEqual(problems);
});

test('a title is demanded where the framework does, unless a page of the base has none', () => {
  const base = { 'astro.config.mjs': '', 'src/content/docs/index.md': '---\ntitle: Home\n---\n' };
  const added = { 'src/content/docs/new.md': '---\ndescription: x\n---\n' };
  expect(line(added, base)).toEqual([
    'must front-matter src/content/docs/new.md:1 Starlight needs a title in the front matter: begin the page with ---, title: …, ---',
  ]);
  expect(line(added, { ...base, 'src/content/docs/old.md': 'x\n' })).toEqual([]);
});

test('a navigation that was broken before is told once, and nothing of its entries', () => {
  const base = { ...mintlify, 'docs.json': '{"navigation":{"pages":["index",,]}}' };
  const broken = { 'docs.json': '{"navigation":{"pages":["index",,"gone"]}}', 'new.mdx': 'x\n' };
  expect(line(broken, base)).toEqual([
    'should navigation docs.json:1 the navigation was broken before and still is, so its entries are not checked: not valid JSON: ValueExpected',
  ]);
  expect(line({ 'docs.json': '{"navigation":{"pages":["index","gone"]}}' }, base)).toEqual([]);
});

const links = (count: number, address: string) =>
  Array.from({ length: count }, (_, index) => `[a](${address}${index})`).join('\n');

test('links are not judged where a fifth of them lead to nothing in the base, and the report says so', () => {
  const base = { ...mintlify, 'index.mdx': links(12, '#anchor-') };
  const change = { 'index.mdx': `${base['index.mdx']}\n[new](#new)\n` };
  expect(line(change, base)).toEqual([]);
  expect(checkFiles(base, change).notChecked).toEqual(['Anchors are not judged: 12 of 12 are broken already.']);
  const whole = { ...mintlify, 'index.mdx': `${links(9, '#anchor-')}\n${links(9, '/tabs?')}` };
  expect(line({ 'index.mdx': `${whole['index.mdx']}\n[new](/new)\n` }, whole)).toHaveLength(1);
});

test('one broken link on every page is one broken link', () => {
  const base = { ...mintlify, 'index.mdx': '[a](/icons)\n'.repeat(40) };
  const change = { 'index.mdx': `${base['index.mdx']}\n[new](/new)\n` };
  expect(line(change, base)).toHaveLength(1);
  expect(checkFiles(base, change).notChecked).toEqual([]);
});

test('all problems are listed even where most links are broken', () => {
  const tree = toTree({ ...mintlify, 'index.mdx': links(12, '/gone-') });
  const all = checkDocumentation(openTree(tree), { all: true });
  expect(all.problems.filter(({ kind }) => kind === 'link')).toHaveLength(12);
  expect(all.notChecked).toEqual([
    'Links: 12 of 12 are broken already. Perhaps this site has rules that are not known, so a change is not judged by them.',
  ]);
});

test('a page that moves takes its broken links and the broken anchors of others along', () => {
  const text = '## A\n\nText that stays the same.\n\n[gone](gone.md)\n\n[lost](#lost)\n';
  const base = { 'docs/a.md': text, 'README.md': '[a](docs/a.md#none)\n' };
  const change = { 'docs/a.md': null, 'guides/a.md': text, 'README.md': '[a](guides/a.md#none)\n' };
  expect(line(change, base)).toEqual([]);
});

test('a copied page is not told of the problems of its original, but of those that its new place brings', () => {
  const text =
    '# Use\n\nWhat stays the same in all versions of this page.\n\n[gone](gone.md)\n\n[lost](#lost)\n\n```sh\na\n';
  const base = { 'README.md': '', 'v1/use.md': `[up](../README.md)\n${text}`, 'v1/other.md': '' };
  const copy = `[up](../README.md)\n${text}`;
  expect(line({ 'v2/use.md': copy, 'v3/use.md': copy }, base)).toEqual([]);
  expect(line({ 'old/v2/use.md': copy, 'v3/use.md': copy.replace('#lost', '#none') }, base)).toEqual([
    'must link old/v2/use.md:1 link ../README.md leads to no page. Did you mean ../../README.md?',
    'should anchor v3/use.md:8 link #none: v3/use.md has no heading or id for #none',
  ]);
  expect(line({ 'v2/intro.md': '# Intro\n\n[gone](gone.md)\n' }, base)).toHaveLength(1);
});

test('an old broken link is not told when it would lead to a page of another version', () => {
  const docs = { 'docusaurus.config.js': '', 'docs/a.md': '# A\n', 'versioned_docs/version-1/a.md': '# A\n' };
  const base = { ...docs, 'versions.json': '["1"]', 'blog/2024-01-01-x.md': '[a](/docs/a#gone)\n' };
  const change = { 'versions.json': '["2","1"]', 'versioned_docs/version-2/a.md': '# A\n' };
  expect(line(change, base)).toEqual([]);
  expect(line({ ...change, 'blog/2024-01-01-x.md': '[a](/docs/a#gone) [b](/docs/a#gone)\n' }, base)).toHaveLength(1);
});

test('a page that becomes MDX by its name is parsed', () => {
  const base = {
    'docusaurus.config.js': "export default { markdown: { format: 'detect' } };",
    'docs/a.md': '# A\n\n<5\n',
  };
  expect(line({ 'docs/a.md': null, 'docs/a.mdx': '# A\n\n<5\n' }, base)).toHaveLength(1);
});

test('a page that moves and changes takes its old faults along', () => {
  const text = (more: string) => `# A\n\nText that stays the same.\n\n${more}\n\n\x60\x60\x60sh\na\n`;
  const base = { 'docs/a.md': text('Old.') };
  expect(line({ 'docs/a.md': null, 'guides/a.md': text('New.') }, base)).toEqual([]);
});

test('a whole folder that moves takes its broken links along, also where every page is edited', () => {
  const paths = Array.from({ length: 60 }, (_, index) => `page-${index}.md`);
  const text = (path: string, intro: string) =>
    `# ${path}\n\n${intro}\n\nAbout ${path}, [others](page-1.md)${' [x](page-2.md)'.repeat(6)}, [gone](gone-${path}) and [lost](page-0.md#lost)${' [top](#top)'.repeat(6)}.\n`;
  const base = Object.fromEntries(paths.map((path) => [`guides/${path}`, text(path, 'As it was.')]));
  const change = Object.fromEntries(
    paths.flatMap((path): [string, string | null][] => [
      [`guides/${path}`, null],
      [`manual/use/${path}`, text(path, 'As it is.')],
    ]),
  );
  expect(line(change, base)).toEqual([]);
});

test('a page is the same although its relative links are written anew', () => {
  const text = (up: string) =>
    `# Screen\n\nThe [side](${up}a.md) of the screen has [more](${up}b.md), see [lost](#lost).\n\nThe [top](${up}c.md) has none.\n`;
  const others = { 'a.md': '', 'b.md': '', 'c.md': '' };
  const base = { ...others, 'ui/screen/README.md': text('../../') };
  expect(line({ 'ui/screen/README.md': null, 'ui/screen.md': text('../') }, base)).toEqual([]);
});

test('what leads to a deleted or moved page is named with it', () => {
  const base = {
    ...mintlify,
    'index.mdx': '[a](/tabs) <Card href="/tabs#x">b</Card>\n',
    'docs.json': '{\n"navigation":{"pages":["index",\n"tabs"]}}',
  };
  const { goneFiles } = checkFiles(base, { 'tabs.mdx': null });
  expect(goneFiles).toEqual([{ path: 'tabs.mdx', movedTo: undefined, targets: ['/tabs', 'tabs'] }]);
  const moved = checkFiles(base, { 'tabs.mdx': null, 'tools/tabs.mdx': mintlify['tabs.mdx'] ?? '' });
  expect(moved.goneFiles).toEqual([{ path: 'tabs.mdx', movedTo: 'tools/tabs.mdx', targets: ['/tabs', 'tabs'] }]);
});

test('what was checked is counted', () => {
  const change = { 'index.mdx': '# Home\n\n[a](/tabs) ![b](/none.png) [c](https://example.com)\n' };
  const { checkedLinks, parsedPages, sites } = checkFiles(mintlify, change);
  expect({ checkedLinks, parsedPages, sites }).toEqual({
    checkedLinks: 2,
    parsedPages: 1,
    sites: [{ framework: 'Mintlify', root: '', pages: 3 }],
  });
});

test.each([
  { name: 'one page that is taken out of the navigation', gone: 1, text: 'Text\n', problems: ['p0.mdx'] },
  { name: 'one page that others link to, which is meant', gone: 1, text: '[p0](/p0)\n', problems: [] },
  { name: 'three pages, which is meant', gone: 3, text: 'Text\n', problems: [] },
])('of pages without an entry, reports $name', ({ gone, text, problems }) => {
  const pages = ['p0', 'p1', 'p2', 'p3'];
  const docs = (names: readonly string[]) => JSON.stringify({ navigation: { pages: names } });
  const base = { 'docs.json': docs(pages), ...Object.fromEntries(pages.map((name) => [`${name}.mdx`, text])) };
  const found = checkFiles(base, { 'docs.json': docs(pages.slice(gone)) }).problems;
  expect(found.filter(({ kind }) => kind === 'unlisted').map(({ file }) => file)).toEqual(problems);
});

test('the sidebar of an instance of Docusaurus whose pages come from elsewhere is not judged', () => {
  const base = {
    'site/docusaurus.config.js':
      "export default { plugins: [['@docusaurus/plugin-content-docs', { id: 'sdk', path: '../sdk-content', routeBasePath: 'sdk', sidebarPath: './sidebarsSdk.js' }]] };",
    'site/docs/a.md': '# A\n',
  };
  expect(checkFiles(base, { 'site/sidebarsSdk.js': "export default { sdk: ['start', 'use'] };" }).problems).toEqual([]);
});

test('a new page of a folder, most pages of which were in no navigation before, is not told to be in none', () => {
  const navigation = '* xref:new/1.adoc[]\n';
  const page = (name: string) => [`modules/ROOT/pages/new/${name}.adoc`, '= New\n'] as const;
  const base = { 'antora.yml': 'nav: [modules/ROOT/nav.adoc]\n', 'modules/ROOT/nav.adoc': navigation };
  const change = Object.fromEntries([page('5')]);
  const find = (names: string) => checkFiles({ ...base, ...Object.fromEntries([...names].map(page)) }, change).problems;
  expect(find('123').map(({ kind }) => kind)).toEqual(['unlisted']);
  expect(find('1234')).toEqual([]);
});

test('a copy of a page of Docusaurus for a version that is cut has the problems of its original', () => {
  const base = {
    'site/docusaurus.config.js':
      "export default { presets: [['classic', { docs: { path: '../docs', sidebarPath: './sidebars.js' } }]] };",
    'site/sidebars.js': "export default { docs: ['a'] };",
    'site/versions.json': '[]',
    'docs/a.md': '# A\n',
    'docs/lost.md': '# Lost\n\n[old](old)\n',
    'docs/_part.md': '[where it is shown](here)\n',
  };
  const cut = (name: string) => `site/versioned_docs/version-1/${name}`;
  const copies = Object.fromEntries(
    (['a', 'lost', '_part'] as const).map((name) => [cut(`${name}.md`), base[`docs/${name}.md`]]),
  );
  const change = { ...copies, 'site/versioned_sidebars/version-1-sidebars.json': '{"docs":["a"]}' };
  expect(checkFiles(base, change).problems).toEqual([]);
});

test('an address on the web without its protocol is told, whatever the pages of its name in other languages have', () => {
  const news = (code: string, text: string) => [`${code}/news.md`, `---\nlang: ${code}\n---\n\n${text}\n`] as const;
  const link = '[Sigstore](sigstore.dev)';
  const base = Object.fromEntries([
    ['_config.yml', ''],
    ...['de', 'fr', 'ja'].map((code) => news(code, link)),
    news('ko', ''),
  ]);
  expect(line(Object.fromEntries([news('ko', link)]), base)).toEqual([
    'must link ko/news.md:5 link sigstore.dev leads to no page. Did you mean https://sigstore.dev?',
  ]);
});
