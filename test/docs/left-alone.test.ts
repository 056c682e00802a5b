import { expect, test } from 'vitest';
import { type Files, listProblems } from './support/check-files.ts';

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

test.each<{ name: string; base: Files; change: Record<string, string | null> }>([
  {
    name: 'archetypes of Hugo, from which it makes pages',
    base: { 'hugo.toml': '', 'content/use.md': '# Use\n' },
    change: { 'archetypes/default.md': '---\ntitle: {{ .Name }\n---\n\n[x](none.md)\n' },
  },
  {
    name: 'fences inside of fences in the instructions of an agent',
    base: plain,
    change: { '.claude/skills/use.md': '# Use\n\n```md\n```js\na\n```\n```\n' },
  },
  {
    name: 'levels of headings, long lines, style, spelling',
    base: mintlify,
    change: { 'index.mdx': `# Home\n\n#### Deep\n\n# Second\n\nteh ${'long '.repeat(200)}\n` },
  },
  {
    name: 'braces in Markdown of Docusaurus, by its settings',
    base: { 'docusaurus.config.js': "export default { markdown: { format: 'detect' } };", 'docs/a.md': 'a\n' },
    change: { 'docs/a.md': 'a {b} <5\n' },
  },
  {
    name: 'braces in Markdown of Docusaurus, by the page',
    base: { 'docusaurus.config.js': '', 'docs/a.mdx': 'a\n' },
    change: { 'docs/a.mdx': '---\ntitle: A\nmdx:\n  format: md\n---\n\na {b} <5\n' },
  },
  {
    name: 'other versions of MkDocs, which mike keeps in another branch',
    base: { ...mkdocs, 'mkdocs.yml': 'extra:\n  version:\n    provider: mike\n' },
    change: { 'docs/index.md': '# Home\n\n[1.0](../1.0/) [Use](../1.0/use/#it)\n' },
  },
  {
    name: 'addresses outside',
    base: mintlify,
    change: {
      'index.mdx': '[a](https://example.com/none) [b](mailto:a@b.c) ![c](//example.com/c.png) [d](ftp://x/y)\n',
    },
  },
  {
    name: 'code, comments and template literals',
    base: mintlify,
    change: {
      'index.mdx':
        '`[a](/none)` `{none}` `<None />`\n\n```jsx\n<None>{none}\n[a](/none)\n```\n\n{/* <None> [a](/none) {none */}\n\nexport const text = `\n[a](/none)\n`;\n',
    },
  },
  {
    name: 'comments of Markdown',
    base: plain,
    change: {
      'README.md': '# Home\n\n<!-- [a](none.md) -->\n\n    [a](none.md)\n\n## Use\n'.replace(
        '    [a](none.md)\n\n',
        '',
      ),
    },
  },
  {
    name: 'absolute links and raw HTML of MkDocs',
    base: mkdocs,
    change: { 'docs/index.md': '# Home\n\n[a](/none) <img src="none.png" alt=""> <a href="none.md">x</a>\n' },
  },
  {
    name: 'addresses that a template makes',
    base: plain,
    change: {
      'README.md':
        '[a]({{ url }}) [b](<\u0024{base}/x>) [c](/users/:id) [d](%7B%7Burl%7D%7D) <a href="{{ x }}">e</a>\n\n## Use\n',
    },
  },
  {
    name: 'routes that only a build makes',
    base: next,
    change: { 'app/page.mdx': '# Home\n\n[post](/posts/1)\n' },
  },
  {
    name: 'other spaces and repositories',
    base: gitbook,
    change: {
      'README.md':
        '# Home\n\n[a](https://app.gitbook.com/s/abc/none) [b](https://github.com/acme/other/blob/main/none.md)\n',
    },
  },
  {
    name: 'a page that was in no navigation before',
    base: mintlify,
    change: { 'lost.mdx': 'Still in no navigation.\n' },
  },
  {
    name: 'a new page where the navigation makes itself',
    base: mkdocs,
    change: { 'docs/new.md': '# New\n' },
  },
  {
    name: 'a heading in a list, and one with character references',
    base: plain,
    change: { 'README.md': '# Home\n\n## Use\n\n- #### In&shy;side `A&B`\n\n[a](#use) [b](#inside-ab)\n' },
  },
  {
    name: 'a badge in a heading, where slugs are not published',
    base: mintlify,
    change: {
      'index.mdx': '# Home\n\n### `nav` - <Badge color="red">required</Badge>\n\n[a](#nav) [b](#nav-required)\n',
    },
  },
  {
    name: 'an ampersand in a heading of GitBook',
    base: gitbook,
    change: { 'README.md': '# Home\n\n## Math & TeX\n\n[a](#math-and-tex) [b](#math-tex)\n' },
  },
  {
    name: 'an image in a heading of GitBook, whose words its anchor has',
    base: gitbook,
    change: {
      'README.md':
        '# Home\n\n### Banner <picture><img src="https://x.dev/pro.png" alt=""></picture>\n\n[a](#banner-pro)\n',
    },
  },
  {
    name: 'tabs of MkDocs, with the heading above',
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
  {
    name: 'links of MkDocs to addresses, which the browser follows',
    base: { ...mkdocs, 'docs/setup/use.md': '# Use\n', 'docs/setup/other.md': '# Other\n' },
    change: {
      'docs/index.md': '[a](setup/use/) [b](setup/use)\n',
      'docs/setup/use.md': '# Use\n\n[b](../other/#other)\n',
    },
  },
  {
    name: 'headings that a component makes of data',
    base: {
      'docusaurus.config.js': '',
      'src/list/index.tsx': "import data from '@site/src/data/list.json'\nexport default () => null;\n",
      'src/data/list.json': '[{ "name": "Custom Commands" }]',
      'docs/list.mdx': "import List from '@site/src/list'\n\n<List />\n",
      'docs/a.md': '# A\n',
    },
    change: { 'docs/a.md': '# A\n\n[a](list.mdx#custom-commands)\n' },
  },
  {
    name: 'code and backticks in cells of tables',
    base: plain,
    change: {
      'README.md':
        '## Use\n\n| Key | Does |\n| --- | --- |\n| ` | opens |\n| `[a](none.md)` | \\| `[b](none.md)` |\n| ` | closes |\n',
    },
  },
  {
    name: 'a component that a method of mdx-components makes',
    base: {
      ...next,
      'mdx-components.tsx':
        'import { useMDXComponents as get } from "nextra-theme-docs";\nexport const useMDXComponents = () => ({ ...get(), async Docs({ code }) { return null; } });\n',
    },
    change: { 'app/page.mdx': '# Home\n\n<Docs code="a" />\n' },
  },
  {
    name: 'duplicate headings',
    base: plain,
    change: { 'README.md': '# Home\n\n## Use\n\n## Use\n\n[a](#use) [b](#use-1)\n' },
  },
  {
    name: 'less-than signs and braces in Markdown that is not MDX',
    base: mkdocs,
    change: { 'docs/index.md': '# Home\n\na <5 and {b and {% c %} and <d>\n' },
  },
  {
    name: 'endings where the framework takes all',
    base: vitepress,
    change: { 'index.md': '# Home\n\n[a](/guide) [c](/guide.md) [d](./guide.html) [e](guide)\n' },
  },
  {
    name: 'a translation that is deleted, and is served in the default language',
    base: starlight,
    change: { 'src/content/docs/de/guide.md': null },
  },
  {
    name: 'a translation that lags behind',
    base: starlight,
    change: { 'src/content/docs/index.md': '---\ntitle: Home\n---\n\n## Install\n\n## Configure\n' },
  },
  {
    name: 'a heading that is renamed while a field of the same name keeps the anchor',
    base: {
      ...mintlify,
      'index.mdx': '## Limit\n\n<ParamField path="limit">x</ParamField>\n\n[a](#limit)\n',
    },
    change: { 'index.mdx': '## Maximum\n\n<ParamField path="limit">x</ParamField>\n\n[a](#limit)\n' },
  },
])('left alone: $name', ({ base, change }) => {
  expect(listProblems(base, change)).toEqual([]);
});
