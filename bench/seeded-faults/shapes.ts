import { dirname, relative } from 'node:path/posix';

export type Files = Record<string, string>;

/** The same small documentation, for each framework. */
export interface Shape {
  name: string;
  /** The path of a page's file; `index` is the start page. */
  path(page: string): string;
  link(from: string, page: string, anchor?: string): string;
  image(from: string): string;
  imagePath: string;
  isMdx: boolean;
  note(text: string, page: string): string;
  /** A page that is not in Markdown. */
  write?(page: string): string;
  files(entries: readonly string[]): Files;
}

export const pages = [
  'index',
  'guides/install',
  'guides/configure',
  'guides/deploy',
  'reference/api',
  'reference/limits',
];
export const titles = new Map(pages.map((page) => [page, toTitle(page)]));

function toTitle(page: string): string {
  const name = page.slice(page.lastIndexOf('/') + 1);
  return name === 'index' ? 'Home' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

const toRelative = (from: string, to: string) => {
  const found = relative(dirname(from), to);
  return found.startsWith('.') ? found : `./${found}`;
};

const address = (page: string, anchor = '') => `/${page === 'index' ? '' : page}${anchor && `#${anchor}`}`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const byFile = (path: Shape['path']) => (from: string, page: string, anchor?: string) =>
  toRelative(path(from), path(page)) + (anchor ? `#${anchor}` : '');

const inFolder =
  (folder: string, extension: string, index = 'index'): Shape['path'] =>
  (page) =>
    `${folder}${page === 'index' ? index : page}.${extension}`;

const mkdocsPath = inFolder('docs/', 'md');
const gitbookPath = inFolder('', 'md', 'README');
const hugoPath = inFolder('content/', 'md', '_index');
const mdbookPath = inFolder('src/', 'md');
const sphinxPath = inFolder('docs/', 'md');
const antoraPath = inFolder('modules/ROOT/pages/', 'adoc');
const docsifyPath = inFolder('docs/', 'md', 'README');
const quartoPath = inFolder('', 'qmd');
const vuepressPath = inFolder('docs/', 'md', 'README');
const plainPath = inFolder('', 'md', 'README');
const summary = (entries: readonly string[], path: Shape['path'], folder = '') =>
  `# Summary\n\n${entries.map((page) => `* [${titles.get(page)}](${path(page).slice(folder.length)})`).join('\n')}\n`;

export const shapes: readonly Shape[] = [
  {
    name: 'Mintlify',
    path: inFolder('', 'mdx'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/images/shot.png',
    imagePath: 'images/shot.png',
    isMdx: true,
    note: (text) => `<Note>\n${text}\n</Note>`,
    files: (entries) => ({
      'docs.json': json({
        name: 'Acme',
        navigation: { groups: [{ group: 'All', pages: entries }] },
        redirects: [
          { source: '/old', destination: '/guides/install' },
          { source: '/v1/:slug*', destination: '/reference/:slug*' },
        ],
      }),
    }),
  },
  {
    name: 'Docusaurus',
    path: inFolder('docs/', 'md'),
    link: byFile(inFolder('docs/', 'md')),
    image: () => '/img/shot.png',
    imagePath: 'static/img/shot.png',
    isMdx: true,
    note: (text) => `import Part from '@site/docs/_part.mdx';\n\n<Part />\n\n:::note\n\n${text}\n\n:::`,
    files: (entries) => ({
      'docusaurus.config.js':
        "export default {\n  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.json' } }]],\n};\n",
      'docs/_part.mdx': 'A sentence for several pages.\n',
      'sidebars.json': json({ docs: entries }),
      'static/_redirects': '/old /guides/install 301\n',
    }),
  },
  {
    name: 'VitePress',
    path: inFolder('docs/', 'md'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/shot.png',
    imagePath: 'docs/public/shot.png',
    isMdx: false,
    note: (text) => `::: tip\n${text}\n:::\n\n<Badge type="tip" text="new" />`,
    files: (entries) => ({
      'docs/.vitepress/config.ts': `export default {\n  themeConfig: {\n    sidebar: [\n${entries
        .map((page) => `      { text: '${titles.get(page)}', link: '${address(page)}' },`)
        .join('\n')}\n    ],\n  },\n};\n`,
    }),
  },
  {
    name: 'MkDocs',
    path: mkdocsPath,
    link: byFile(mkdocsPath),
    image: (from) => toRelative(mkdocsPath(from), 'docs/assets/shot.png'),
    imagePath: 'docs/assets/shot.png',
    isMdx: false,
    note: (text) => `!!! note\n    ${text}`,
    files: (entries) => ({
      'mkdocs.yml': `site_name: Acme\nplugins:\n  - search: !ENV [SEARCH, true]\nnav:\n${entries
        .map((page) => `  - ${titles.get(page)}: ${mkdocsPath(page).slice(5)}`)
        .join('\n')}\n`,
    }),
  },
  {
    name: 'Zensical',
    path: mkdocsPath,
    link: byFile(mkdocsPath),
    image: (from) => toRelative(mkdocsPath(from), 'docs/assets/shot.png'),
    imagePath: 'docs/assets/shot.png',
    isMdx: false,
    note: (text) => `!!! note\n    ${text}`,
    files: (entries) => ({
      'zensical.toml': `[project]\nsite_name = "Acme"\nnav = [\n${entries
        .map((page) => `  { "${titles.get(page)}" = "${mkdocsPath(page).slice(5)}" },`)
        .join('\n')}\n]\n`,
    }),
  },
  {
    name: 'Quarto',
    path: quartoPath,
    link: byFile(quartoPath),
    image: (from) => toRelative(quartoPath(from), 'images/shot.png'),
    imagePath: 'images/shot.png',
    isMdx: false,
    note: (text) => `::: {.callout-note}\n${text}\n:::`,
    files: (entries) => ({
      '_quarto.yml': `project:\n  type: book\nbook:\n  title: Acme\n  chapters:\n${entries
        .map((page) => `    - ${quartoPath(page)}`)
        .join('\n')}\n`,
    }),
  },
  {
    name: 'Hugo',
    path: hugoPath,
    link: (_, page, anchor) => (page === 'index' ? '/' : `/${page}/${anchor ? `#${anchor}` : ''}`),
    image: () => '/shot.png',
    imagePath: 'static/shot.png',
    isMdx: false,
    note: (text) => `{{% alert %}}\n${text}\n{{% /alert %}}`,
    files: (entries) => ({
      'hugo.toml': `baseURL = "https://acme.org/"\ntitle = "Acme"\n${entries
        .map((page) => `[[menus.main]]\nname = "${titles.get(page)}"\npageRef = "${address(page)}"`)
        .join('\n')}\n`,
    }),
  },
  {
    name: 'Jekyll',
    path: inFolder('', 'md'),
    link: (_, page, anchor) => (page === 'index' ? '/' : `/${page}.html${anchor ? `#${anchor}` : ''}`),
    image: () => '/assets/shot.png',
    imagePath: 'assets/shot.png',
    isMdx: false,
    note: (text) => `${text}\n{: .note }`,
    files: (entries) => ({
      '_config.yml': 'title: Acme\n',
      '_data/navigation.yml': `${entries.map((page) => `- title: ${titles.get(page)}\n  url: ${address(page)}`).join('\n')}\n`,
    }),
  },
  {
    name: 'Fern',
    path: inFolder('pages/', 'mdx'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/assets/shot.png',
    imagePath: 'assets/shot.png',
    isMdx: true,
    note: (text) => `<Note>\n${text}\n</Note>`,
    files: (entries) => ({
      'fern.config.json': json({ organization: 'acme', version: '4.0.0' }),
      'docs.yml': `instances:\n  - url: acme.docs.buildwithfern.com\nnavigation:\n${entries
        .map((page) => `  - page: ${titles.get(page)}\n    path: pages/${page}.mdx\n    slug: ${page}`)
        .join('\n')}\nredirects:\n  - source: /old\n    destination: /guides/install\n`,
    }),
  },
  {
    name: 'Nuxt Content',
    path: inFolder('content/', 'md'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/shot.png',
    imagePath: 'public/shot.png',
    isMdx: false,
    note: (text) => `::note\n${text}\n::`,
    files: () => ({
      'nuxt.config.ts': "export default defineNuxtConfig({ modules: ['@nuxt/content'] });\n",
      'content.config.ts':
        "import { defineContentConfig } from '@nuxt/content';\nexport default defineContentConfig({});\n",
    }),
  },
  {
    name: 'Next.js',
    path: inFolder('src/content/', 'md'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/shot.png',
    imagePath: 'public/shot.png',
    isMdx: false,
    note: (text) => `> ${text}`,
    files: () => ({
      'next.config.js': 'module.exports = {};\n',
      'src/pages/[[...path]].js': 'export default function Page() {}\n',
      // The links of the pages show what their addresses are.
      'src/content/map.md': pages.map((page) => `- [${titles.get(page)}](${address(page)})`).join('\n'),
    }),
  },
  {
    name: 'Starlight',
    path: inFolder('src/content/docs/', 'mdx'),
    link: (_, page, anchor) => (page === 'index' ? '/' : `/${page}/${anchor ? `#${anchor}` : ''}`),
    image: () => '/shot.png',
    imagePath: 'public/shot.png',
    isMdx: true,
    note: (text) => `import { Card } from '@astrojs/starlight/components';\n\n<Card title="Note">\n${text}\n</Card>`,
    files: (entries) => ({
      'astro.config.mjs': `import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ sidebar: [\n${entries
        .filter((page) => page !== 'index')
        .map((page) => `  { label: '${titles.get(page)}', slug: '${page}' },`)
        .join('\n')}\n] })] };\n`,
    }),
  },
  {
    name: 'Nextra',
    path: (page) => (page === 'index' ? 'app/page.mdx' : `app/${page}/page.mdx`),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/shot.png',
    imagePath: 'public/shot.png',
    isMdx: true,
    note: (text) => `import { Callout } from 'nextra/components'\n\n<Callout>\n${text}\n</Callout>`,
    files: () => ({
      'next.config.mjs': "import nextra from 'nextra';\nexport default nextra({})({});\n",
      'app/_meta.js': "export default { index: 'Home', guides: 'Guides', reference: 'Reference' };\n",
    }),
  },
  {
    name: 'Fumadocs',
    path: inFolder('content/docs/', 'mdx'),
    link: (_, page, anchor) => `/docs${page === 'index' ? '' : `/${page}`}${anchor ? `#${anchor}` : ''}`,
    image: () => '/shot.png',
    imagePath: 'public/shot.png',
    isMdx: true,
    note: (text) => `<Callout>\n${text}\n</Callout>`,
    files: (entries) => ({
      'source.config.ts': "export const docs = defineDocs({ dir: 'content/docs' });\n",
      'next.config.mjs': 'export default {};\n',
      'mdx-components.tsx':
        "import defaultMdxComponents from 'fumadocs-ui/mdx';\nexport function getMDXComponents(components) { return { ...defaultMdxComponents, ...components }; }\n",
      'content/docs/meta.json': json({ pages: ['index', 'guides', 'reference'] }),
      'content/docs/guides/meta.json': json({
        pages: entries.filter((page) => page.startsWith('guides/')).map((page) => page.slice(7)),
      }),
    }),
  },
  {
    name: 'GitBook',
    path: gitbookPath,
    link: byFile(gitbookPath),
    image: (from) => toRelative(gitbookPath(from), '.gitbook/assets/shot.png'),
    imagePath: '.gitbook/assets/shot.png',
    isMdx: false,
    note: (text) => `{% hint style="info" %}\n${text}\n{% endhint %}`,
    files: (entries) => ({
      'SUMMARY.md': summary(entries, gitbookPath),
      '.gitbook.yaml': 'root: ./\nredirects:\n  old: guides/install.md\n',
    }),
  },
  {
    name: 'mdBook',
    path: mdbookPath,
    link: byFile(mdbookPath),
    image: (from) => toRelative(mdbookPath(from), 'src/shot.png'),
    imagePath: 'src/shot.png',
    isMdx: false,
    note: (_, page) => `{{#include ${toRelative(mdbookPath(page), 'src/note.md')}}}`,
    files: (entries) => ({
      'src/note.md': '> Mind the order of the steps.\n',
      'book.toml': '[book]\ntitle = "Acme"\n',
      'src/SUMMARY.md': summary(entries, mdbookPath, 'src/'),
    }),
  },
  {
    name: 'Sphinx',
    path: sphinxPath,
    link: byFile(sphinxPath),
    image: (from) => toRelative(sphinxPath(from), 'docs/shot.png'),
    imagePath: 'docs/shot.png',
    isMdx: false,
    note: (text) => `\`\`\`{note}\n${text}\n\`\`\``,
    files: (entries) => ({
      'docs/conf.py': "extensions = ['myst_parser']\nroot_doc = 'contents'\nmyst_heading_anchors = 3\n",
      'docs/contents.md': `# Acme\n\n\`\`\`{toctree}\n:hidden:\n\n${entries.join('\n')}\n\`\`\`\n`,
    }),
  },
  {
    name: 'Antora',
    path: antoraPath,
    link: (_, page, anchor) => `${page}.adoc${anchor ? `#${anchor}` : ''}`,
    image: () => 'shot.png',
    imagePath: 'modules/ROOT/images/shot.png',
    isMdx: false,
    note: (text) => `NOTE: ${text}`,
    write(page) {
      const next = pages[(pages.indexOf(page) + 1) % pages.length] ?? 'index';
      return `= ${titles.get(page)}\n\nRead xref:${next}.adoc[] and xref:${next}.adoc#first-steps[].\n\n== First steps\n\nimage::shot.png[]\n`;
    },
    files: (entries) => ({
      'antora.yml': 'name: acme\nversion: 1\nnav:\n  - modules/ROOT/nav.adoc\n',
      'modules/ROOT/nav.adoc': `${entries.map((page) => `* xref:${page}.adoc[]`).join('\n')}\n`,
    }),
  },
  {
    name: 'Docsify',
    path: docsifyPath,
    link: byFile(docsifyPath),
    image: (from) => toRelative(docsifyPath(from), 'docs/shot.png'),
    imagePath: 'docs/shot.png',
    isMdx: false,
    note: (text) => `> ${text}`,
    files: (entries) => ({
      'docs/index.html':
        '<script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script>\n',
      'docs/_sidebar.md': summary(entries, docsifyPath, 'docs/'),
    }),
  },
  {
    name: 'Rspress',
    path: inFolder('docs/', 'mdx'),
    link: (_, page, anchor) => address(page, anchor),
    image: () => '/shot.png',
    imagePath: 'docs/public/shot.png',
    isMdx: true,
    note: (text) => `:::tip\n${text}\n:::`,
    files: (entries) => ({
      'rspress.config.ts': "export default { title: 'Acme' };\n",
      'docs/_meta.json': json(['index', { type: 'dir', name: 'guides' }, { type: 'dir', name: 'reference' }]),
      'docs/guides/_meta.json': json(entries.filter((page) => page.startsWith('guides/')).map((page) => page.slice(7))),
    }),
  },
  {
    name: 'VuePress',
    path: vuepressPath,
    link: byFile(vuepressPath),
    image: () => '/shot.png',
    imagePath: 'docs/.vuepress/public/shot.png',
    isMdx: false,
    note: (text) => `::: tip\n${text}\n:::`,
    files: () => ({ 'docs/.vuepress/config.ts': "export default { title: 'Acme' };\n" }),
  },
  {
    name: 'Markdown',
    path: plainPath,
    link: byFile(plainPath),
    image: (from) => toRelative(plainPath(from), 'images/shot.png'),
    imagePath: 'images/shot.png',
    isMdx: false,
    note: (text) => `> [!NOTE]\n> ${text}`,
    files: () => ({}),
  },
];
