import { expect, test } from 'vitest';
import { empty, type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

/** What a page that is added says, and the problems that it has. */
interface Case {
  base: Files;
  page: string;
  text: string;
  problems?: string[];
}

const astro = (options: string) =>
  `export default defineConfig({ ${options} integrations: [starlight({ title: 'X' })] });`;
const titled = '---\ntitle: T\n---\n';
const starlight: Files = { 'astro.config.mjs': astro(''), 'src/content/docs/index.md': titled };
const docusaurus: Files = { 'docusaurus.config.js': 'export default {};', 'docs/intro.md': '# Intro\n' };
const vitepress: Files = {
  '.vitepress/config.ts': 'export default {}',
  'guide/setup.md': '# Setup\n\n## `onSetup()`\n',
};
const mkdocs = (plugins = ''): Files => ({
  'mkdocs.yml': `site_name: X\n${plugins}`,
  'docs/index.md': '# 首页\n\n## 安装\n\n## Café ☕\n\n## 用法\n',
});

test.each(
  rowsOf<Case>({
    'a README at the root, as GitHub shows it': {
      base: { 'docs/img/logo.svg': '', 'docs/use.md': '# Use\n' },
      page: 'README.md',
      text: '<img src="/img/logo.svg" alt=""> <img src="/docs/img/logo.svg" alt=""> [a](/docs/use.md) [b](/docs) [c](/use)\n',
      problems: ['image /img/logo.svg leads to no file', 'link /use leads to no page'],
    },
    'anchors of a file outside of the site that a page shows': {
      base: { ...mkdocs(), 'HELP.md': '# Help\n\n## Tests\n', 'docs/help.md': '--8<-- "HELP.md"\n' },
      page: 'docs/b.md',
      text: '[a](help.md#tests) [b](help.md#test)\n',
      problems: ['link help.md#test: docs/help.md has no heading or id for #test'],
    },
    'MkDocs leaves an absolute link as it is, and no address ends with .md': {
      base: mkdocs(),
      page: 'docs/b.md',
      text: '[a](/index.md) [b](/index.md#x) [c](/elsewhere/)\n',
      problems: ['link /index.md leads to no page', 'link /index.md#x leads to no page'],
    },
    'absolute links of MkDocs that its settings take from the folder of its pages': {
      base: mkdocs('validation:\n  absolute_links: relative_to_docs\n'),
      page: 'docs/b.md',
      text: '[a](/index.md) [c](/elsewhere.md)\n',
      problems: ['link /elsewhere.md leads to no page'],
    },
    'absolute links that a plugin of MkDocs reads': {
      base: mkdocs('plugins:\n  - site-urls\n'),
      page: 'docs/b.md',
      text: '[a](/index.md)\n',
    },
    'links of Mintlify are relative to their page, whatever its content folder has': {
      base: {
        'docs.json': '{"navigation":{"pages":["guide/use","guide/more"]}}',
        'guide/use.mdx': 'Use\n',
        'api/key.mdx': 'Key\n',
      },
      page: 'guide/more.mdx',
      text: '[a](use) [b](./use) [c](../api/key) [d](api/key)\n',
      problems: ['link api/key leads to no page'],
    },
    'an id that a heading gives itself stands in place of its slug': {
      base: {
        'source.config.ts': 'export default {}',
        'content/docs/api.mdx': `---\ntitle: API\n---\n\n## Strings [#string]\n`,
      },
      page: 'content/docs/b.mdx',
      text: `${titled}[a](/docs/api#string) [b](/docs/api#strings)\n`,
      problems: ['link /docs/api#strings: content/docs/api.mdx has no heading or id for #strings'],
    },
    'a page that git ignores, by the patterns of each folder': {
      base: {
        ...starlight,
        '.gitignore': '/src/content/docs/api/**\n!/src/content/docs/api/kept*\n',
        'src/content/docs/cli/.gitignore': '*.gen.md\nlist/\n',
        'src/content/docs/cli/a.md': titled,
      },
      page: 'src/content/docs/b.md',
      text: `${titled}[a](/api/x/) [b](/cli/list/) [c](/cli/list/one/) [d](/api/kept/) [e](/cli/none/)\n`,
      problems: ['link /api/kept/ leads to no page', 'link /cli/none/ leads to no page'],
    },
    'a site of Rspress that one configuration for all tools describes': {
      base: {
        'rstack.config.ts': "import { define } from 'rstack';\ndefine.doc({ lang: 'en' });",
        'docs/en/use.mdx': '# Use\n',
      },
      page: 'docs/en/a.mdx',
      text: '[a](/use) [b](/none)\n',
      problems: ['link /none leads to no page'],
    },
    'addresses on the web with a character too much or too little': {
      base: { 'README.md': '# Home\n', '.gitignore': 'docs/\n' },
      page: 'a.md',
      text: '[a]((https://acme.dev/docs/x)) [b](https:/acme.dev) [c](https://acme.dev)\n',
      problems: ['link (https://acme.dev/docs/x) leads to no page', 'link https:/acme.dev leads to no page'],
    },
    'an address of Docusaurus as its file is called': {
      base: { ...docusaurus, 'docs/use/index.md': '# Use\n' },
      page: 'docs/a.md',
      text: '[a](/docs/use/index) [b](/docs/use/) [c](./use/index.md)\n',
      problems: ['link /docs/use/index leads to no page'],
    },
    'a way out of a book and back into it': {
      base: {
        'book.toml': '',
        'src/SUMMARY.md': '- [A](a/b.md)\n- [C](c.md)\n',
        'src/c.md': '# C\n',
        'src/a/b.md': '# B\n',
      },
      page: 'src/a/b.md',
      text: '# B\n\n[a](../../src/c.md) [b](../c.md)\n',
      problems: ['link ../../src/c.md leads to no page'],
    },
    'entries of the lists that folders of MkDocs have': {
      base: {
        ...mkdocs('plugins: [awesome-nav]\n'),
        'docs/use/a.md': '# A\n',
      },
      page: 'docs/use/.nav.yml',
      text: 'nav:\n  - A: a.md\n  - use/a.md\n  - b.md\n  - "*"\n  - glob: "x/*.md"\n    sort: { direction: asc }\n',
      problems: ['the entry b.md leads to no page'],
    },
    'a project of Quarto of a type that an extension adds': {
      base: {
        '_quarto.yml': 'project:\n  type: acme/docs\n',
        '_extensions/acme/docs/_extension.yml': 'contributes:\n  project:\n    project:\n      type: website\n',
        'use.qmd': '# Use\n',
      },
      page: 'a.qmd',
      text: '# A\n\n[a](use.qmd#use) [b](none.qmd)\n',
      problems: ['link none.qmd leads to no page'],
    },
    'a folder that git ignores, but has files': {
      base: { ...starlight, '.gitignore': 'docs/\n' },
      page: 'src/content/docs/b.md',
      text: `${titled}[a](/none/)\n`,
      problems: ['link /none/ leads to no page'],
    },
    'lists that plugins make for models and search engines': {
      base: vitepress,
      page: 'a.md',
      text: '[a](/llms.txt) [b](/llms-full.txt) [c](/sitemap.xml) [d](/feed.json)\n',
    },
    'paths of Starlight, as its slugger writes them': {
      base: {
        ...starlight,
        'src/content/docs/First Steps/v1.2 (old).md': titled,
        'src/content/docs/README.md': titled,
      },
      page: 'src/content/docs/b.md',
      text: `${titled}[a](/first-steps/v12-old/) [b](/readme/) [c](/first%20steps/v1.2%20(old)/)\n`,
      problems: ['link /first%20steps/v1.2%20(old)/ leads to no page'],
    },
    'pages of Starlight in another source folder, below a base address': {
      base: { 'astro.config.mjs': astro("srcDir: './web', base: '/kit',"), 'web/content/docs/a.md': titled },
      page: 'web/content/docs/b.md',
      text: `${titled}[a](/kit/a/) [b](/a/) [c](/other-site/) [d](/)\n`,
      problems: ['link /a/ leads to no page'],
    },
    'a base address of Starlight that code makes': {
      base: { 'astro.config.mjs': astro("base: getBase('/kit'),"), 'src/content/docs/a.md': titled },
      page: 'src/content/docs/b.md',
      text: `${titled}[a](/kit/a/) [b](/a/)\n`,
    },
    'languages of Starlight from another file': {
      base: {
        'astro.config.mjs': `import { locales } from './languages';\n${astro('').replace("title: 'X'", "defaultLocale: 'en', locales")}`,
        'languages.ts': "export const locales = { en: { lang: 'en' }, 'zh-cn': { lang: 'zh-CN' } };",
        'src/content/docs/en/limits.md': titled,
      },
      page: 'src/content/docs/zh-cn/b.md',
      text: `${titled}[a](/zh-cn/limits/) [b](/zh-cn/none/)\n`,
      problems: ['link /zh-cn/none/ leads to no page'],
    },
    'files of Starlight that are no pages': {
      base: { ...starlight, 'src/content/docs/_draft.md': 'Without a title.\n', 'src/content/docs/_parts/a.md': '' },
      page: 'src/content/docs/_parts/b.md',
      text: 'No title either.\n',
    },
    'links of Docusaurus from the root of its pages, but not with a dot': {
      base: { ...docusaurus, 'docs/guide/a.md': '# A\n' },
      page: 'docs/guide/b.md',
      text: '[a](guide/a.md) [b](./guide/a.md) [c](../docs/intro.md)\n',
      problems: ['link ../docs/intro.md leads to no page', 'link ./guide/a.md leads to no page'],
    },
    '@site of Docusaurus, and a folder without a page': {
      base: { ...docusaurus, 'docs/api/one.md': '# One\n' },
      page: 'docs/b.md',
      text: '[a](@site/docs/intro.md#intro) [b](@site/docs/none.md) [c](/docs/api)\n',
      problems: ['link /docs/api leads to no page', 'link @site/docs/none.md leads to no page'],
    },
    'a version of Docusaurus without a folder, and the page of its search': {
      base: {
        'docusaurus.config.js':
          "export default { presets: [['classic', { docs: { routeBasePath: '/' } }]], themeConfig: { algolia: {} } };",
        'docs/intro.md': '# Intro\n',
        'versions.json': '["2.x","1.x"]',
        'versioned_docs/version-1.x/intro.md': '# Intro\n',
      },
      page: 'docs/b.md',
      text: '[a](/intro) [b](/new) [c](/1.x/new) [d](/next/new) [e](/search)\n',
      problems: ['link /1.x/new leads to no page', 'link /next/new leads to no page'],
    },
    'languages of Nextra in the names of files': {
      base: {
        'next.config.js':
          "module.exports = require('nextra')({})({ i18n: { locales: ['en', 'ja'], defaultLocale: 'en' } });",
        'pages/limits.en.mdx': '## Rate\n',
        'pages/limits.ja.mdx': '## 上限\n',
      },
      page: 'pages/b.ja.mdx',
      text: '[a](/ja/limits#上限) [b](/limits#上限) [c](/en/limits#rate) [d](/limits#rate) [e](/ja/none)\n',
      problems: [
        'link /ja/none leads to no page',
        'link /limits#rate: pages/limits.ja.mdx has no heading or id for #rate',
      ],
    },
    'anchors in another case, except on GitHub': {
      base: { ...vitepress, '.github/docs.md': '' },
      page: 'a.md',
      text: '[a](/guide/setup#onsetup) [b](/guide/setup#onSetup)\n',
      problems: ['link /guide/setup#onSetup: guide/setup.md has no heading or id for #onSetup'],
    },
    'anchors of GitHub in any case, and its own pages': {
      base: { 'README.md': '# Home\n\n## Use\n' },
      page: 'docs/a.md',
      text: '[a](../README.md#Use) [b](../../../issues) [c](../../../releases/latest) [d](../../../none)\n[e](../../main/README.md) [f](../../../../other/README.md)\n',
      problems: ['link ../../../none leads to no page'],
    },
    'anchors of MkDocs, which keep no letters beyond ASCII': {
      base: mkdocs(),
      page: 'docs/b.md',
      text: '[a](index.md#_1) [b](index.md#_2) [c](index.md#cafe) [d](index.md#_3) [e](index.md#安装)\n',
      problems: ['link index.md#安装: docs/index.md has no heading or id for #安装'],
    },
    'anchors of MkDocs with another slugger': {
      base: mkdocs('markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n'),
      page: 'docs/b.md',
      text: '[a](index.md#安装) [b](index.md#none)\n',
      problems: ['link index.md#none: docs/index.md has no heading or id for #none'],
    },
    'folders that a plugin of MkDocs makes': {
      base: mkdocs('plugins:\n  - gen-files:\n      scripts: [gen.py]\n'),
      page: 'docs/b.md',
      text: '[a](reference/index.md) [b](reference/x/y.md) [c](none.md)\n',
      problems: ['link none.md leads to no page'],
    },
    'the navigation of literate-nav, which is no book': {
      base: { ...mkdocs('plugins:\n  - literate-nav\n'), 'docs/SUMMARY.md': '* [Home](index.md)\n* *.md\n' },
      page: 'docs/b.md',
      text: '[a](index.md)\n',
    },
    'a byte order mark, a folder without a page, and parts of drawings': {
      base: { 'docs.json': '\uFEFF{"navigation":{"pages":["index","b","gone"]}}', 'index.mdx': '', 'guide/a.mdx': '' },
      page: 'b.mdx',
      text: '[a](/guide/a) [b](/guide) <svg><use href="icons.svg#x" /></svg>\n',
      problems: ['link /guide leads to no page'],
    },
    'links that the build of VitePress refuses': {
      base: {
        ...vitepress,
        ...empty('public/root.crt public/demo/index.html public/page.html public/a.zip'),
      },
      page: 'a.md',
      text: '[a](/guide/setup/) [b](/guide/setup) [c](http://localhost:5173/) [d](/root.crt) [e](/root.crt){target="_self"}\n[f](/demo/) [g](/page) [h](/a.zip) [i](./guide/setup/) ![j](/root.crt) <a href="http://localhost:1">k</a>\n',
      problems: [
        'link ./guide/setup/ leads to no page',
        'link /guide/setup/ leads to no page',
        'link /root.crt leads to no page',
        'link http://localhost:5173/ leads to no page',
      ],
    },
    'links to this machine where VitePress ignores dead links': {
      base: { ...vitepress, '.vitepress/config.ts': "export default { ignoreDeadLinks: 'localhostLinks' }" },
      page: 'a.md',
      text: '[a](http://localhost:5173/)\n',
    },
    'links of mdBook to pages outside of the book, but not to other books': {
      base: { 'book.toml': '', 'src/SUMMARY.md': '[A](a.md)\n[B](b.md)\n', 'src/b.md': '', 'CONTRIBUTING.md': '' },
      page: 'src/a.md',
      text: '[a](b.md) [b](../CONTRIBUTING.md) [c](../std/index.html) [d](../reference/)\n',
      problems: ['link ../CONTRIBUTING.md leads to no page'],
    },
    'pages of categories of Docusaurus': {
      base: {
        ...docusaurus,
        'docs/api/_category_.json': '{"link":{"type":"generated-index","slug":"/api-list"}}',
        'docs/api/one.md': '# One\n',
      },
      page: 'docs/b.md',
      text: '[a](/docs/api-list) [b](/docs/category/api) [c](/docs/none)\n',
      problems: ['link /docs/none leads to no page'],
    },
    'definition terms and included files of Hugo, in any folder': {
      base: { 'hugo.toml': '', 'content/_common/steps.md': '## Next steps\n' },
      page: 'content/a.md',
      text: '[a](#locale) [b](#next-steps) [c](#none)\n\nlocale\n: The language.\n\n{{% include "/_common/steps.md" %}}\n',
      problems: ['link #none: content/a.md has no heading or id for #none'],
    },
    'anchors of a page whose included file is not there': {
      base: { 'hugo.toml': '' },
      page: 'content/a.md',
      text: '[a](#some)\n\n{{< readfile file="/x.md" >}}\n',
    },
    'formulas where a plugin of the site reads them': {
      base: { 'docusaurus.config.js': "import remarkMath from 'remark-math';\nexport default {};", 'docs/a.md': '' },
      page: 'docs/b.mdx',
      text: 'A $\\frac{a}{b}$ and $x_{i} < y$.\n\n$$\n\\int_{0}^{c} {d} < e\n$$\n\nAnd {f}.\n',
      problems: ['{f} is a variable that this page does not declare. Write \\{f\\} for text, or put it in code'],
    },
    'formulas of Mintlify': {
      base: { 'docs.json': '{"navigation":{"pages":["index","b"]}}', 'index.mdx': '' },
      page: 'b.mdx',
      text: 'A $\\frac{a}{b}$, $x_{i}$.\n',
    },
    'braces in dollars where no plugin reads formulas': {
      base: docusaurus,
      page: 'docs/b.mdx',
      text: 'A $x_{i}$.\n',
      problems: ['{i} is a variable that this page does not declare. Write \\{i\\} for text, or put it in code'],
    },
  }),
)('$name', ({ base, page, text, problems = [] }) => {
  const found = listProblems(base, { [page]: text });
  expect(
    found.map((problem) => problem.replace(/^\w+ [\w-]+ \S+ /, '').replace(/\. Did you mean.*/, '')).toSorted(),
  ).toEqual(problems.toSorted());
});

test('what parts of pages link to switches no check off', () => {
  const dead = Array.from({ length: 12 }, (_, index) => `[x](/gone-${index}/)`).join(' ');
  const base = { ...starlight, 'src/content/docs/_old.md': dead };
  expect(listProblems(base, { 'src/content/docs/index.md': `${titled}[x](/limts/)\n` })).toEqual([
    'must link src/content/docs/index.md:4 link /limts/ leads to no page',
  ]);
});
