import { address, byFile, inFolder, json, pages, type Shape, summary, titles, toRelative } from './shape.ts';

const mkdocsPath = inFolder('docs/', 'md');
const gitbookPath = inFolder('', 'md', 'README');
const hugoPath = inFolder('content/', 'md', '_index');
const mdbookPath = inFolder('src/', 'md');
const sphinxPath = inFolder('docs/', 'md');
const antoraPath = inFolder('modules/ROOT/pages/', 'adoc');
const docsifyPath = inFolder('docs/', 'md', 'README');
const quartoPath = inFolder('', 'qmd');
const plainPath = inFolder('', 'md', 'README');

/** Of builders that are configured in data, and of folders without one. */
export const otherShapes: readonly Shape[] = [
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
