import { expect, test } from 'vitest';
import { type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const mintlify: Files = {
  'docs.json': '{"navigation":{"pages":["index"]}}',
  'index.mdx': '# Home\n\nText.\n',
  'lost.mdx': 'In no navigation.\n',
};
const plain: Files = { 'README.md': '# Home\n\n## Use\n' };
const mkdocs: Files = { 'mkdocs.yml': 'site_name: x\n', 'docs/index.md': '# Home\n' };
const next: Files = {
  'next.config.mjs': "import nextra from 'nextra';",
  'app/page.mdx': '# Home\n',
  'app/posts/[id]/page.tsx': '',
};
const starlight: Files = {
  'astro.config.mjs': '',
  'src/content/docs/index.md': '---\ntitle: Home\n---\n\n## Install\n',
  'src/content/docs/de/index.md': '---\ntitle: Start\n---\n\n## Installieren\n\n[x](/guide/)\n',
  'src/content/docs/guide.md': '---\ntitle: Guide\n---\n',
  'src/content/docs/de/guide.md': '---\ntitle: Anleitung\n---\n',
};
const gitbook: Files = { 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': '# Home\n' };
const vitepress: Files = {
  '.vitepress/config.ts': 'export default {}',
  'index.md': '# Home\n',
  'guide.md': '# Guide\n',
};

test.each(
  rowsOf<{ base: Files; change: Record<string, string | null> }>({
    'archetypes of Hugo, from which it makes pages': {
      base: { 'hugo.toml': '', 'content/use.md': '# Use\n' },
      change: { 'archetypes/default.md': '---\ntitle: {{ .Name }\n---\n\n[x](none.md)\n' },
    },
    'anchors of a file outside of the pages that a page shows': {
      base: { ...mkdocs, 'CONTRIBUTING.md': '# Help\n\n## Tests\n', 'docs/help.md': '--8<-- "CONTRIBUTING.md"\n' },
      change: { 'docs/index.md': '# Home\n\n[x](help.md#tests)\n' },
    },
    'entries of files that plugins make for models': {
      base: vitepress,
      change: {
        '.vitepress/config.ts':
          "export default { themeConfig: { sidebar: [{ text: 'H', link: '/' }, { text: 'G', link: '/guide' }, { text: 'A', link: '/llms-full.txt' }] } }",
      },
    },
    'pages of Docusaurus that code makes, with a slash at their end': {
      base: {
        'docusaurus.config.js': "export default { presets: [['classic', { blog: {} }]] };",
        'docs/a.md': '# A\n',
        'blog/2020-01-01-x.md': '# X\n',
        'src/pages/help.js': '',
      },
      change: { 'docs/a.md': '# A\n\n[a](/help/) [b](/help) [c](/blog/) [d](/blog/tags/)\n' },
    },
    'the address of a site of Docusaurus in a constant': {
      base: {
        'docusaurus.config.js': "const BASE = '/docs';\nexport default { baseUrl: `${BASE}/` };",
        'docs/a.md': '# A\n',
      },
      change: { 'docs/a.md': '# A\n\n<a href="/docs/docs/a">a</a> [b](/docs/docs/a)\n' },
    },
    'pages of a folder that a script of the repository brings from elsewhere': {
      base: {
        'hugo.toml': '',
        'content/flux/use.md': '# Use\n',
        'hack/import.sh': 'PLUGINS="content/flux/plugins"\nmkdir -p $PLUGINS\n',
      },
      change: { 'content/flux/use.md': '# Use\n\n[schema](/flux/plugins/schema/)\n' },
    },
    'a table of contents among the pages of Hugo': {
      base: {
        'hugo.toml': '',
        'content/en/tool/SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n',
        'content/en/tool/_index.md': '# Tool\n',
        'content/en/tool/use.md': '# Use\n',
      },
      change: { 'content/en/tool/new.md': '# New\n', 'content/en/tool/SUMMARY.md': '* [Start](_index.md)\n' },
    },
    'shift operators in code of AsciiDoc': {
      base: { 'antora.yml': '', 'modules/ROOT/pages/a.adoc': '= A\n' },
      change: { 'modules/ROOT/pages/a.adoc': '= A\n\nThese are `+`, `<<` and `>>`.\n' },
    },
    'anchors of a page that imports one from a package': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': "import Props from '@acme/api/props.md'\n\n<Props />\n" },
      change: { 'docs/b.md': '# B\n\n[x](./a#prop-size)\n' },
    },
    'fences inside of fences in the instructions of an agent': {
      base: plain,
      change: { '.claude/skills/use.md': '# Use\n\n```md\n```js\na\n```\n```\n' },
    },
    'levels of headings, long lines, style, spelling': {
      base: mintlify,
      change: { 'index.mdx': `# Home\n\n#### Deep\n\n# Second\n\nteh ${'long '.repeat(200)}\n` },
    },
    'braces in Markdown of Docusaurus, by its settings': {
      base: { 'docusaurus.config.js': "export default { markdown: { format: 'detect' } };", 'docs/a.md': 'a\n' },
      change: { 'docs/a.md': 'a {b} <5\n' },
    },
    'braces in Markdown of Docusaurus, by the page': {
      base: { 'docusaurus.config.js': '', 'docs/a.mdx': 'a\n' },
      change: { 'docs/a.mdx': '---\ntitle: A\nmdx:\n  format: md\n---\n\na {b} <5\n' },
    },
    'a container that ends with the group inside of it, as vitest writes them': {
      base: vitepress,
      change: {
        'guide.md':
          '# Guide\n\n::: danger\nText\n\n::: tabs\n== A\n::: code-group\n```ts [a]\na\n```\n== B\n::: code-group\n```ts [a]\na\n```\n:::\n\nText\n',
      },
    },
    'a container that ends with its list': {
      base: vitepress,
      change: { 'guide.md': '# Guide\n\n- Item:\n\n  ::: code-group\n\n  ```ts [a]\n  a\n  ```\n\n## Next\n' },
    },
    'attributes of directives in MDX': {
      base: starlight,
      change: {
        'src/content/docs/new.mdx':
          '---\ntitle: New\n---\n\n:::section{.columns.min200}\n\nA :a[link]{.b href="/"}\n\n:::\n',
      },
    },
    'blank lines before the front matter of Astro': {
      base: starlight,
      change: { 'src/content/docs/new.md': '\n\n---\ntitle: New\n---\n' },
    },
    'pages of a blog of Starlight, and redirects that its configuration imports': {
      base: {
        ...starlight,
        'astro.config.mjs': `import blog from 'starlight-blog';
import redirects from './redirects.js';
export default defineConfig({ redirects: { ...redirects }, integrations: [starlight({ sidebar: ['guide'], plugins: [blog()] })] });`,
        'redirects.js': "export default { '/old': '/guide' };",
      },
      change: { 'src/content/docs/blog/new.md': '---\ntitle: New\n---\n\n[x](/old/)\n' },
    },
    'examples of data with lines that are marked, left out, or alternatives': {
      base: plain,
      change: {
        'README.md':
          '# Home\n\n```json del={2} ins={3}\n{\n  "a": 1\n  "b": 2\n}\n```\n\n```json\n{\n  "a": "b\n   .\n   c"\n}\n```\n\n```toml\n[a]\nb = 1\n# or\nb = 2\n```\n',
      },
    },
    'code as the address of a link, which a filter of pandoc reads': {
      base: { '_quarto.yml': 'project:\n  type: website\n', 'index.qmd': '# Home\n' },
      change: { 'index.qmd': '# Home\n\n[`f()`](`lib.f`)\n' },
    },
    'an anchor of the page in the own language, where languages are known to code alone': {
      base: {
        'source.config.ts': '',
        'content/docs/a.mdx': '---\ntitle: A\n---\n',
        'content/docs/a.ja.mdx': '---\ntitle: A\n---\n\n## 再検証\n',
      },
      change: { 'content/docs/b.ja.mdx': '---\ntitle: B\n---\n\n[x](/docs/a#再検証)\n' },
    },
    'a definition with its address on the next line, in a file with other line ends': {
      base: plain,
      change: { 'README.md': '# Home\r\n\r\n[a b][]\r\n\r\n[a b]:\r\n  https://acme.dev\r\n' },
    },
    'a feed that a listing of Quarto makes': {
      base: { '_quarto.yml': 'project:\n  type: website\n', 'index.qmd': '# Home\n' },
      change: {
        '_quarto.yml': 'project:\n  type: website\nwebsite:\n  navbar:\n    right:\n      - href: index.xml\n',
      },
    },
    'anchors with marks that GitHub leaves out, on a site that is not known': {
      base: { 'docs/a.md': '# A\n\n## I’ve moved, it’s (not) here\n' },
      change: { 'docs/b.md': '[x](a.md#i’ve-moved,-it’s-(not)-here)\n' },
    },
    'sites and pages that programs are tested with': {
      base: plain,
      change: {
        'tests/book/book.toml': '',
        'tests/book/src/SUMMARY.md': '- [A](none.md)\n',
        'pkg/fixtures/docs.md': '[x](none.md)\n',
      },
    },
    'a home page of VitePress in no sidebar': {
      base: {
        '.vitepress/config.js': "export default { themeConfig: { sidebar: [{ link: '/guide' }] } };",
        'guide.md': '# Guide\n',
      },
      change: { 'de/index.md': '---\nhome: true\n---\n' },
    },
    'the ending of a file in links of Starlight, which plugins turn into addresses': {
      base: starlight,
      change: {
        'src/content/docs/new.mdx': '---\ntitle: New\n---\n',
        'src/content/docs/guide.md': '---\ntitle: Guide\n---\n\n[x](./new.md)\n',
      },
    },
    'addresses with spaces where Markdown takes them, and titles of links': {
      base: mkdocs,
      change: {
        'docs/index.md':
          '# Home\n\n[x](#two words) [y](#home "Home") (see [z](#home)) [a](#home \'A\')\n\n## Two words\n',
      },
    },
    'a page that no list has, because another page includes it': {
      base: { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' },
      change: { 'src/a.md': '# A\n\n{{#include part.md}}\n', 'src/part.md': 'Text\n' },
    },
    'chapters without a page, 404.md, and names that a preprocessor of mdBook links': {
      base: { 'book.toml': '[preprocessor.spec]\n', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' },
      change: {
        'src/SUMMARY.md': '- [A](a.md)\n- [Later]()\n',
        'src/404.md': '# Lost\n',
        'src/a.md': '# A\n\n[x](expr.call) [y][type.z]\n',
      },
    },
    'the home of Mintlify, and snippets in their older folder': {
      base: { 'docs.json': '{"navigation":{"pages":["guide"]},"redirects":[]}', 'guide.mdx': '# Guide\n' },
      change: {
        'docs.json': '{"navigation":{"pages":["guide"]},"redirects":[{"source":"/a","destination":"/"}]}',
        '_snippets/new.mdx': 'Text\n',
        'guide.mdx': '# Guide\n\n[Home](/)\n',
      },
    },
    'folders of versions without versions.json, which Docusaurus does not read': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': '# A\n', 'sidebars.js': "module.exports = { docs: ['a'] };" },
      change: {
        'versioned_docs/version-1.0/b.md': '# B\n',
        'versioned_sidebars/version-1.0-sidebars.json': '{"docs":["version-1.0/b"]}',
      },
    },
    'anchors of modules that mkdocstrings describes': {
      base: { ...mkdocs, 'docs/api.md': '::: acme.config\n    options:\n      members: true\n' },
      change: { 'docs/index.md': '# Home\n\n[x](api.md#acme.config.Settings)\n' },
    },
    'anchors with dots where a plugin names places': {
      base: { ...mkdocs, 'mkdocs.yml': 'site_name: x\nplugins:\n  - mkdocstrings\n', 'docs/api.md': '# API\n' },
      change: { 'docs/index.md': '# Home\n\n[x](api.md#acme.Settings)\n' },
    },
    'anchors of the fields of an operation of Mintlify': {
      base: { ...mintlify, 'add.mdx': '---\ntitle: Add\nopenapi: post /things\n---\n' },
      change: { 'index.mdx': '# Home\n\n[x](/add#body-name)\n' },
    },
    'images and attachments of Antora in their older place': {
      base: {
        'antora.yml': 'name: docs\nversion: ~\n',
        'modules/ROOT/pages/index.adoc': '= Home\n',
        'modules/ROOT/assets/images/a.png': '',
        'modules/ROOT/assets/attachments/a.zip': '',
      },
      change: { 'modules/ROOT/pages/index.adoc': '= Home\n\nimage::a.png[A]\n\nxref:attachment$a.zip[A]\n' },
    },
    'formulas of Fern, and what lies beside its docs on the same host': {
      base: {
        'fern/fern.config.json': '{}',
        'fern/docs.yml':
          'instances:\n  - url: acme.docs.buildwithfern.com/docs\nnavigation:\n  - page: Home\n    path: pages/home.mdx\n',
        'fern/pages/home.mdx': '# Home\n',
      },
      change: {
        'fern/pages/home.mdx': '# Home\n\n$$\n\\min(4, \\text{a\\_b})\n$$\n\n[x](/app/settings) [y](/docs/home)\n',
      },
    },
    'a fence of MDX that its closing mark leaves at another indentation': {
      base: mintlify,
      change: { 'index.mdx': '# Home\n\n<Steps>\n```sh\na\n      ```\n</Steps>\n' },
    },
    'pages that a build makes in a folder that only .gitkeep holds': {
      base: {
        ...starlight,
        'astro.config.mjs': "export default defineConfig({ integrations: [starlight({ sidebar: ['guide'] })] });",
        '.gitignore': 'src/content/docs/plugins/\nsrc/content/docs/api\n',
        'src/content/docs/plugins/.gitkeep': '',
      },
      change: {
        'astro.config.mjs':
          "export default defineConfig({ integrations: [starlight({ sidebar: ['guide', '/api/'] })] });",
        'src/content/docs/guide.md': '---\ntitle: Guide\n---\n\n[x](/plugins/one/)\n',
      },
    },
    'other versions of MkDocs, which mike keeps in another branch': {
      base: { ...mkdocs, 'mkdocs.yml': 'extra:\n  version:\n    provider: mike\n' },
      change: { 'docs/index.md': '# Home\n\n[1.0](../1.0/) [Use](../1.0/use/#it)\n' },
    },
    'addresses outside': {
      base: mintlify,
      change: {
        'index.mdx': '[a](https://example.com/none) [b](mailto:a@b.c) ![c](//example.com/c.png) [d](ftp://x/y)\n',
      },
    },
    'code, comments and template literals': {
      base: mintlify,
      change: {
        'index.mdx':
          '`[a](/none)` `{none}` `<None />`\n\n```jsx\n<None>{none}\n[a](/none)\n```\n\n{/* <None> [a](/none) {none */}\n\nexport const text = `\n[a](/none)\n`;\n',
      },
    },
    'comments of Markdown': {
      base: plain,
      change: {
        'README.md': '# Home\n\n<!-- [a](none.md) -->\n\n    [a](none.md)\n\n## Use\n'.replace(
          '    [a](none.md)\n\n',
          '',
        ),
      },
    },
    'absolute links and raw HTML of MkDocs': {
      base: mkdocs,
      change: { 'docs/index.md': '# Home\n\n[a](/none) <img src="none.png" alt=""> <a href="none.md">x</a>\n' },
    },
    'addresses that a template makes': {
      base: plain,
      change: {
        'README.md':
          '[a]({{ url }}) [b](<\u0024{base}/x>) [c](/users/:id) [d](%7B%7Burl%7D%7D) <a href="{{ x }}">e</a>\n\n## Use\n',
      },
    },
    'routes that only a build makes': {
      base: next,
      change: { 'app/page.mdx': '# Home\n\n[post](/posts/1)\n' },
    },
    'other spaces and repositories': {
      base: gitbook,
      change: {
        'README.md':
          '# Home\n\n[a](https://app.gitbook.com/s/abc/none) [b](https://github.com/acme/other/blob/main/none.md)\n',
      },
    },
    'a page that was in no navigation before': {
      base: mintlify,
      change: { 'lost.mdx': 'Still in no navigation.\n' },
    },
    'a new page where the navigation makes itself': {
      base: mkdocs,
      change: { 'docs/new.md': '# New\n' },
    },
    'a heading in a list, and one with character references': {
      base: plain,
      change: { 'README.md': '# Home\n\n## Use\n\n- #### In&shy;side `A&B`\n\n[a](#use) [b](#inside-ab)\n' },
    },
    'a badge in a heading, where slugs are not published': {
      base: mintlify,
      change: {
        'index.mdx': '# Home\n\n### `nav` - <Badge color="red">required</Badge>\n\n[a](#nav) [b](#nav-required)\n',
      },
    },
    'an ampersand in a heading of GitBook': {
      base: gitbook,
      change: { 'README.md': '# Home\n\n## Math & TeX\n\n[a](#math-and-tex) [b](#math-tex)\n' },
    },
    'an image in a heading of GitBook, whose words its anchor has': {
      base: gitbook,
      change: {
        'README.md':
          '# Home\n\n### Banner <picture><img src="https://x.dev/pro.png" alt=""></picture>\n\n[a](#banner-pro)\n',
      },
    },
    'tabs of MkDocs, with the heading above': {
      base: {
        ...mkdocs,
        'mkdocs.yml':
          'markdown_extensions:\n  - pymdownx.tabbed:\n      combine_header_slug: true\n      slugify: !!python/name:x.y\n',
      },
      change: {
        'docs/index.md':
          '# Home\n\n## Logo\n\n=== ":material-image: Image"\n\n    a\n\n=== "... or text"\n\n[a](#logo-image) [b](#logo--or-text)\n',
      },
    },
    'links of MkDocs to addresses, which the browser follows': {
      base: { ...mkdocs, 'docs/setup/use.md': '# Use\n', 'docs/setup/other.md': '# Other\n' },
      change: {
        'docs/index.md': '[a](setup/use/) [b](setup/use)\n',
        'docs/setup/use.md': '# Use\n\n[b](../other/#other)\n',
      },
    },
    'headings that a component makes of data': {
      base: {
        'docusaurus.config.js': '',
        'src/list/index.tsx': "import data from '@site/src/data/list.json'\nexport default () => null;\n",
        'src/data/list.json': '[{ "name": "Custom Commands" }]',
        'docs/list.mdx': "import List from '@site/src/list'\n\n<List />\n",
        'docs/a.md': '# A\n',
      },
      change: { 'docs/a.md': '# A\n\n[a](list.mdx#custom-commands)\n' },
    },
    'code and backticks in cells of tables': {
      base: plain,
      change: {
        'README.md':
          '## Use\n\n| Key | Does |\n| --- | --- |\n| ` | opens |\n| `[a](none.md)` | \\| `[b](none.md)` |\n| ` | closes |\n',
      },
    },
    'a component that a method of mdx-components makes': {
      base: {
        ...next,
        'mdx-components.tsx':
          'import { useMDXComponents as get } from "nextra-theme-docs";\nexport const useMDXComponents = () => ({ ...get(), async Docs({ code }) { return null; } });\n',
      },
      change: { 'app/page.mdx': '# Home\n\n<Docs code="a" />\n' },
    },
    'duplicate headings': {
      base: plain,
      change: { 'README.md': '# Home\n\n## Use\n\n## Use\n\n[a](#use) [b](#use-1)\n' },
    },
    'less-than signs and braces in Markdown that is not MDX': {
      base: mkdocs,
      change: { 'docs/index.md': '# Home\n\na <5 and {b and {% c %} and <d>\n' },
    },
    'endings where the framework takes all': {
      base: vitepress,
      change: { 'index.md': '# Home\n\n[a](/guide) [c](/guide.md) [d](./guide.html) [e](guide)\n' },
    },
    'a translation that is deleted, and is served in the default language': {
      base: starlight,
      change: { 'src/content/docs/de/guide.md': null },
    },
    'a translation that lags behind': {
      base: starlight,
      change: { 'src/content/docs/index.md': '---\ntitle: Home\n---\n\n## Install\n\n## Configure\n' },
    },
    'a heading that is renamed while a field of the same name keeps the anchor': {
      base: {
        ...mintlify,
        'index.mdx': '## Limit\n\n<ParamField path="limit">x</ParamField>\n\n[a](#limit)\n',
      },
      change: { 'index.mdx': '## Maximum\n\n<ParamField path="limit">x</ParamField>\n\n[a](#limit)\n' },
    },
    'fences in a comment of HTML, and what follows it': {
      base: plain,
      change: { 'README.md': '# Home\n\n## Use\n\n<!--\n\n``` ts\na\n``` -->\n\n```ts\nb\n```\n' },
    },
    'fences that the code of a cell writes': {
      base: { '_quarto.yml': 'project:\n  type: website\n', 'index.qmd': '# Home\n' },
      change: {
        'index.qmd':
          '# Home\n\n```{r}\nsprintf("%s\n\n  ```bibtex%s\n  ```\n", a)\n```\n\n```{r}\nb\n```\n\n- Item\n\n  ```{r}\n  c\n ```\n',
      },
    },
    'includes of a part of Quarto, which are relative to the page that shows it': {
      base: { '_quarto.yml': 'project:\n  type: website\n', 'a/b/index.qmd': '# Home\n', 'common/_utils.qmd': 'x\n' },
      change: {
        'common/_setup.qmd': '{{< include ../../common/_utils.qmd >}}\n',
        'a/b/index.qmd': '# Home\n\n{{< include ../../common/_setup.qmd >}}\n',
      },
    },
    'tags of a diagram of PlantUML, and names of a component': {
      base: { '.vuepress/config.ts': 'export default {}', 'index.md': '# Home\n' },
      change: {
        'index.md':
          '# Home\n\n@startuml\nstate a <<start>>\n</style>\n@enduml\n\n<Player src="youtube/a1b2" />\n\n[b](#/1/2)\n',
      },
    },
    'links of snippets that MkDocs excludes': {
      base: {
        ...mkdocs,
        'mkdocs.yml': 'site_name: x\nplugins:\n  exclude:\n    glob:\n      - snippets/*\nnav: [index.md]\n',
      },
      change: { 'docs/snippets/a.md': '[a](../../install/index.md) ![b](b.svg)\n' },
    },
    'pages of a sidebar that code makes of files': {
      base: {
        ...vitepress,
        '.vitepress/config.ts':
          "import { items } from './sidebar-gen';\nexport default { themeConfig: { sidebar: items } };",
        '.vitepress/sidebar-gen.ts':
          "import fg from 'fast-glob';\nexport const items = [{ text: 'Guide', link: '/guide' }, ...(await fg('*.md')).map(toItem)];",
      },
      change: { 'more.md': '# More\n' },
    },
    'pages of a sidebar that code makes of data': {
      base: {
        ...vitepress,
        '.vitepress/config.ts':
          "const guide = [{ text: 'Guide', link: '/guide' }];\nconst core = names.map((name) => ({ text: name, link: `/core/${name}` }));",
      },
      change: { 'more.md': '# More\n' },
    },
    'links of a new version that those before it have, too': {
      base: Object.fromEntries([
        ['content/docs/releases/README.md', '# Releases\n'],
        ['content/docs/use/a.md', '# Use\n\n[a](../releases/README.md)\n'],
        ...['v1', 'v2', 'v3'].map((version) => [`content/${version}/use/a.md`, '[a](../releases/README.md)\n']),
      ]),
      change: { 'content/v4/use/a.md': '# Use\n\n[a](../releases/README.md)\n' },
    },
    'pages of a new folder like those beside it, which are in no navigation either': {
      base: {
        ...vitepress,
        '.vitepress/config.ts':
          "export default { themeConfig: { sidebar: [{ text: 'H', link: '/' }, { text: 'G', link: '/guide' }] } };",
        ...Object.fromEntries(['a', 'b', 'c'].map((rule) => [`rules/${rule}/js.md`, '# Rule\n'])),
      },
      change: { 'rules/d/js.md': '# Rule D\n' },
    },
    'links of a site of one’s own on Astro, which has its pages where Starlight has them': {
      base: { ...starlight, 'astro.config.mjs': 'export default defineConfig({ integrations: [mdx()] });' },
      change: { 'src/content/docs/new.md': '[a](/api#req) [b](/guide/) ::x\n' },
    },
    'entries and links of a language of MkDocs that inherits the settings of English': {
      base: {
        'docs/en/mkdocs.yml': 'site_name: x\nnav: [index.md, more.md]\n',
        'docs/en/docs/index.md': '# Home\n',
        'docs/en/docs/more.md': '# More\n',
        'docs/de/docs/index.md': '# Start\n',
      },
      change: {
        'docs/hi/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
        'docs/hi/docs/index.md': '[a](more.md)\n',
        'docs/de/docs/index.md': '# Start\n\n[a](more.md)\n',
      },
    },
    'the address of a section of Fern, which leads to its first page': {
      base: {
        'fern/docs.yml':
          'navigation:\n  - section: Voices\n    contents:\n      - page: Start\n        path: start.mdx\nredirects:\n  - source: /old\n    destination: /voices\n',
        'fern/fern.config.json': '{}',
        'fern/start.mdx': '# Start\n',
      },
      change: {
        'fern/start.mdx': '# Start\n\n[a](/voices)\n',
      },
    },
    'links of a book to another one beside it': {
      base: { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' },
      change: { 'src/a.md': '# A\n\n[a](../core/primitive.md#x)\n' },
    },
    'anchors of a page with a part that only a build makes': {
      base: {
        'docs/antora.yml': 'name: x\nversion: 1\next: {}\n',
        'docs/modules/ROOT/pages/a.adoc': '= A\n\ninclude::partial$goals/a.adoc[]\n',
        'docs/modules/ROOT/pages/b.adoc': '= B\n',
      },
      change: { 'docs/modules/ROOT/pages/b.adoc': '= B\n\nxref:a.adoc#goals.a[A]\n' },
    },
    'anchors of VitePress with slugs that code of the site makes': {
      base: {
        ...vitepress,
        '.vitepress/config.ts':
          "import { slugify } from './slugs';\nexport default { markdown: { anchor: { slugify } } };",
        'guide.md': '# Guide\n\n## Shared Getters\n',
      },
      change: { 'index.md': '# Home\n\n[a](/guide#Shared-Getters)\n' },
    },
    'labels of pages that only some builds of Sphinx leave out': {
      base: {
        'conf.py': "extensions = []\nexclude_patterns = [] if tags.has('all') else [\n    'more.rst',\n]\n",
        'index.rst': 'Home\n====\n\n.. toctree::\n\n   more\n',
        'more.rst': '.. _more:\n\nMore\n====\n',
      },
      change: { 'index.rst': 'Home\n====\n\n:ref:`more`\n\n.. toctree::\n\n   more\n' },
    },
    'the start page of VitePress, beside a README that is another page': {
      base: { ...vitepress, 'README.md': '# About\n' },
      change: { _redirects: '/* /index.html 200\n', 'guide.md': '# Guide\n\n[a](/) [b](/README)\n' },
    },
    'options of a plugin that have the names of options of VitePress': {
      base: {
        ...vitepress,
        '.vitepress/config.ts':
          "export default defineConfig({ themeConfig: { nav: [{ text: 'G', link: '/' }] }, pwa: { srcDir: '.vitepress/', base: '/x/' } });",
      },
      change: {
        '.vitepress/config.ts':
          "export default defineConfig({ themeConfig: { nav: [{ text: 'H', link: '/' }, { text: 'G', link: '/guide' }] }, pwa: { srcDir: '.vitepress/' } });",
      },
    },
    'folders of Fumadocs that loaders in a folder of any name connect': {
      base: {
        'source.config.ts':
          "export const docs = defineDocs({ dir: 'content' }); export const b = defineCollections({ dir: 'content/blog' });",
        'next.config.mjs': 'export default {};',
        'loaders/source.ts':
          "export const source = loader({ baseUrl: '/' }); export const blog = loader({ baseUrl: '/blog' });",
        'content/use.mdx': '---\ntitle: Use\n---\n',
        'content/blog/one.mdx': '---\ntitle: One\n---\n',
      },
      change: { 'content/new.mdx': '---\ntitle: New\n---\n\n[a](/use) [b](/blog/one)\n' },
    },
    'files that a site of one’s own publishes beside its pages': {
      base: { 'content/docs/guide/a.md': '# A\n', 'public/docs/guide/values.yaml': 'a: 1\n' },
      change: { 'content/docs/guide/a.md': '# A\n\n[values](values.yaml)\n' },
    },
    'code of another file that has the colours of YAML': {
      base: plain,
      change: {
        'README.md': '# Home\n\n## Use\n\n```yaml title=".browserslistrc"\n[production]\nchrome >= 107\n```\n',
      },
    },
    'dashes in the code of a heading of Jekyll': {
      base: { '_config.yml': 'title: x\n', 'a.md': '---\ntitle: A\n---\n\n## Use `--fast` or -- not\n' },
      change: {
        'b.md': '---\ntitle: B\n---\n\n[a](a.md#use---fast-or--not)\n',
      },
    },
    'a heading of Docusaurus with a comment for its id, in any spelling': {
      base: { 'docusaurus.config.js': 'export default {};', 'docs/a.md': '# A\n' },
      change: { 'docs/a.md': '# A\n\n[a](#stage-0:-x) [b](#b)\n\n## X { /*#stage-0:-x*/ }\n\n## C {/* #b */}\n' },
    },
    'redirects in the folder of the pages of Hugo, which publishes them': {
      base: {
        'hugo.toml': 'defaultContentLanguage = "en"\n[languages.en]\ncontentDir = "content/en"\n',
        'netlify.toml': '[[redirects]]\nfrom = "/a"\nto = "/b/"\n',
        'content/en/_redirects': '/old /b/\n',
        'content/en/b.md': '# B\n',
        'content/en/c.md': '# C\n',
      },
      change: { 'content/en/c.md': null, 'content/en/_redirects': '/old /b/\n/c /b/\n' },
    },
    'a space behind the id of a cross-reference': {
      base: { 'docs/antora.yml': 'name: x\nversion: 1\n', 'docs/modules/ROOT/pages/index.adoc': '= Home\n' },
      change: {
        'docs/modules/ROOT/pages/index.adoc': '= Home\n\nSee <<a.policy , the policy>>.\n\n[[a.policy]]\n== Policy\n',
      },
    },
  }),
)('left alone: $name', ({ base, change }) => {
  expect(listProblems(base, change)).toEqual([]);
});
