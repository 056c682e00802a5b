import { relativePath } from '../../../src/docs/moves/spell-link.ts';
import { createTree, type FileTree, folderOf } from '../../../src/docs/tree.ts';

/** A page by its path below the content's folder, without extension. */
export interface SmallPage {
  name: string;
  /** Links to other pages: an index, and which form of the framework. */
  links: { to: number; form: number }[];
}

interface Style {
  content: string;
  extension: string;
  /** How a link of one page to another may be written. */
  forms: ((from: string, to: string) => string)[];
  /** Configuration and navigation. */
  files(names: readonly string[]): Record<string, string>;
  /** Where an image stands, and how a page writes it. */
  image(from: string): { path: string; target: string };
}

const relative = (extension: string) => (from: string, to: string) => relativePath(folderOf(from), `${to}${extension}`);
const dotted = (extension: string) => (from: string, to: string) => {
  const path = relative(extension)(from, to);
  return path.startsWith('../') ? path : `./${path}`;
};
const absolute =
  (before = '', after = '') =>
  (_: string, to: string) =>
    `${before}/${to === 'index' && after.startsWith('.') ? to : to.replace(/(?:^|\/)index$/, '')}${after}`;
/** An address without `index`, but with the slash of its folder. */
const folder =
  (after = '') =>
  (_: string, to: string) =>
    `/${to.replace(/(^|\/)index$/, '$1')}${/(?:^|\/)index$/.test(to) ? '' : after}`;
const beside = (content: string) => (from: string) => ({
  path: `${content}img/shot.png`,
  target: relativePath(folderOf(from), 'img/shot.png'),
});

export const styles: Record<string, Style> = {
  Mintlify: {
    content: '',
    extension: '.mdx',
    forms: [absolute(), absolute('', '#top'), dotted('')],
    files: (names) => ({
      'docs.json': JSON.stringify({ navigation: { groups: [{ group: 'All', pages: names }] } }, null, 2),
    }),
    image: () => ({ path: 'img/shot.png', target: '/img/shot.png' }),
  },
  Docusaurus: {
    content: 'docs/',
    extension: '.md',
    forms: [relative('.md'), dotted('.md'), absolute('/docs'), absolute('/docs', '#top')],
    files: (names) => ({
      'docusaurus.config.js': 'export default {};\n',
      'sidebars.js': `export default { docs: [${names.map((name) => `'${name}'`).join(', ')}] };\n`,
    }),
    image: beside('docs/'),
  },
  VitePress: {
    content: 'docs/',
    extension: '.md',
    forms: [relative(''), dotted('.md'), folder(), folder('.html')],
    files: (names) => ({
      'docs/.vitepress/config.ts': `export default { themeConfig: { sidebar: [${names.map((name) => `{ text: 'x', link: '/${name}' }`).join(',\n')}] } };\n`,
    }),
    image: beside('docs/'),
  },
  Zensical: {
    content: 'docs/',
    extension: '.md',
    forms: [relative('.md')],
    files: (names) => ({
      'zensical.toml': `[project]\nsite_name = "x"\nnav = [\n${names
        .map((name, index) => `  ${index % 2 === 0 ? `{ Page${index} = "${name}.md" }` : `'${name}.md'`},\n`)
        .join('')}]\n`,
    }),
    image: beside('docs/'),
  },
  MkDocs: {
    content: 'docs/',
    extension: '.md',
    forms: [relative('.md')],
    files: (names) => ({
      'mkdocs.yml': `site_name: x\nnav:\n${names.map((name, index) => `  - Page ${index}: ${name}.md\n`).join('')}`,
    }),
    image: beside('docs/'),
  },
  Starlight: {
    content: 'src/content/docs/',
    extension: '.md',
    forms: [absolute('', '/'), absolute()],
    files: (names) => ({
      'astro.config.mjs': `export default { sidebar: [${names.map((name) => `'${name.replace(/\/index$/, '')}'`).join(', ')}] };\n`,
    }),
    image: beside('src/content/docs/'),
  },
  Fumadocs: {
    content: 'content/docs/',
    extension: '.mdx',
    forms: [absolute('/docs'), dotted('.mdx')],
    files: () => ({ 'source.config.ts': 'export const docs = 1;\n', 'next.config.mjs': 'export default {};\n' }),
    image: beside('content/docs/'),
  },
  Sphinx: {
    content: 'docs/',
    extension: '.md',
    forms: [relative('.md'), dotted('.md'), relative('')],
    files: (names) => ({
      'docs/conf.py': "extensions = ['myst_parser']\n",
      'docs/index.rst': `Home\n====\n\n.. toctree::\n   :hidden:\n\n${names.map((name) => `   ${name}\n`).join('')}`,
    }),
    image: beside('docs/'),
  },
  Quarto: {
    content: '',
    extension: '.qmd',
    forms: [relative('.qmd'), dotted('.qmd'), absolute('', '.qmd'), relative('.html')],
    files: (names) => ({
      '_quarto.yml': `project:\n  type: website\nwebsite:\n  sidebar:\n    contents:\n${names
        .map((name, index) =>
          index % 2 === 0 ? `      - ${name}.qmd\n` : `      - text: x\n        href: ${name}.qmd\n`,
        )
        .join('')}`,
    }),
    image: beside(''),
  },
  GitBook: {
    content: '',
    extension: '.md',
    forms: [relative('.md')],
    files: (names) => ({ 'SUMMARY.md': `# Summary\n\n${names.map((name) => `* [Page](${name}.md)\n`).join('')}` }),
    image: beside(''),
  },
  Markdown: {
    content: '',
    extension: '.md',
    forms: [relative('.md'), dotted('.md')],
    files: () => ({}),
    image: beside(''),
  },
};

export const pathOf = ({ content, extension }: Style, name: string): string => content + name + extension;

/** A site in which every link leads somewhere. */
export function buildSite(style: Style, pages: readonly SmallPage[]): Map<string, string> {
  const names = pages.map(({ name }) => name);
  const files = new Map(Object.entries(style.files(names)));
  for (const { name, links } of pages) {
    const image = style.image(name);
    files.set(image.path, '');
    const lines = links.map(({ to, form }) => {
      const write = style.forms[form % style.forms.length];
      return `[link](${write?.(name, names[to % names.length] ?? name)})`;
    });
    files.set(
      pathOf(style, name),
      `---\ntitle: ${name}\n---\n\n# Top\n\n![shot](${image.target})\n\n${lines.join('\n\n')}\n`,
    );
  }
  return files;
}

export const toTree = (files: ReadonlyMap<string, string>): FileTree =>
  createTree({ paths: new Set(files.keys()), read: (path) => files.get(path) });
