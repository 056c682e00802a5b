import { address, inFolder, json, pages, type Shape, summary, titles, toRelative } from './shape.ts';

const mkdocsPath = inFolder('docs/', 'md');
const gitbookPath = inFolder('', 'md', 'README');
const mdbookPath = inFolder('src/', 'md');
const docsifyPath = inFolder('docs/', 'md', 'README');
const quartoPath = inFolder('', 'qmd');

/** Of builders that are configured in data, and of folders without one. */
export const otherShapes: readonly Shape[] = [
  {
    name: 'Mintlify',
    path: inFolder('', 'mdx'),
    link: address,
    image: '/images/shot.png',
    imagePath: 'images/shot.png',
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
    name: 'MkDocs',
    path: mkdocsPath,
    imagePath: 'docs/assets/shot.png',
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
    imagePath: 'docs/assets/shot.png',
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
    imagePath: 'images/shot.png',
    note: (text) => `::: {.callout-note}\n${text}\n:::`,
    files: (entries) => ({
      '_quarto.yml': `project:\n  type: book\nbook:\n  title: Acme\n  chapters:\n${entries
        .map((page) => `    - ${quartoPath(page)}`)
        .join('\n')}\n`,
    }),
  },
  {
    name: 'Hugo',
    path: inFolder('content/', 'md', '_index'),
    link: (page, anchor) => (page === 'index' ? '/' : `/${page}/${anchor ? `#${anchor}` : ''}`),
    image: '/shot.png',
    imagePath: 'static/shot.png',
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
    link: (page, anchor) => (page === 'index' ? '/' : `/${page}.html${anchor ? `#${anchor}` : ''}`),
    image: '/assets/shot.png',
    imagePath: 'assets/shot.png',
    note: (text) => `${text}\n{: .note }`,
    files: (entries) => ({
      '_config.yml': 'title: Acme\n',
      '_data/navigation.yml': `${entries.map((page) => `- title: ${titles.get(page)}\n  url: ${address(page)}`).join('\n')}\n`,
    }),
  },
  {
    name: 'Fern',
    path: inFolder('pages/', 'mdx'),
    link: address,
    image: '/assets/shot.png',
    imagePath: 'assets/shot.png',
    note: (text) => `<Note>\n${text}\n</Note>`,
    files: (entries) => ({
      'fern.config.json': json({ organization: 'acme', version: '4.0.0' }),
      'docs.yml': `instances:\n  - url: acme.docs.buildwithfern.com\nnavigation:\n${entries
        .map((page) => `  - page: ${titles.get(page)}\n    path: pages/${page}.mdx\n    slug: ${page}`)
        .join('\n')}\nredirects:\n  - source: /old\n    destination: /guides/install\n`,
    }),
  },
  {
    name: 'GitBook',
    path: gitbookPath,
    imagePath: '.gitbook/assets/shot.png',
    note: (text) => `{% hint style="info" %}\n${text}\n{% endhint %}`,
    files: (entries) => ({
      'SUMMARY.md': summary(entries, gitbookPath),
      '.gitbook.yaml': 'root: ./\nredirects:\n  old: guides/install.md\n',
    }),
  },
  {
    name: 'mdBook',
    path: mdbookPath,
    imagePath: 'src/shot.png',
    note: (_, page) => `{{#include ${toRelative(mdbookPath(page), 'src/note.md')}}}`,
    files: (entries) => ({
      'src/note.md': '> Mind the order of the steps.\n',
      'book.toml': '[book]\ntitle = "Acme"\n',
      'src/SUMMARY.md': summary(entries, mdbookPath, 'src/'),
    }),
  },
  {
    name: 'Sphinx',
    path: inFolder('docs/', 'md'),
    imagePath: 'docs/shot.png',
    note: (text) => `\`\`\`{note}\n${text}\n\`\`\``,
    files: (entries) => ({
      'docs/conf.py': "extensions = ['myst_parser']\nroot_doc = 'contents'\nmyst_heading_anchors = 3\n",
      'docs/contents.md': `# Acme\n\n\`\`\`{toctree}\n:hidden:\n\n${entries.join('\n')}\n\`\`\`\n`,
    }),
  },
  {
    name: 'Antora',
    path: inFolder('modules/ROOT/pages/', 'adoc'),
    link: (page, anchor) => `${page}.adoc${anchor ? `#${anchor}` : ''}`,
    image: 'shot.png',
    imagePath: 'modules/ROOT/images/shot.png',
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
    imagePath: 'docs/shot.png',
    note: (text) => `> ${text}`,
    files: (entries) => ({
      'docs/index.html':
        '<script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script>\n',
      'docs/_sidebar.md': summary(entries, docsifyPath, 'docs/'),
    }),
  },
  {
    name: 'Markdown',
    path: inFolder('', 'md', 'README'),
    imagePath: 'images/shot.png',
    note: (text) => `> [!NOTE]\n> ${text}`,
    files: () => ({}),
  },
];
