import { dirname, relative } from 'node:path/posix';

export type Files = Record<string, string>;

/** The same small documentation, for each framework. */
export interface Shape {
  name: string;
  /** The path of a page's file; `index` is the start page. */
  path(page: string): string;
  /** Default: relative, to the file. */
  link?(page: string, anchor?: string): string;
  /** Where pages show it from. Default: relative. */
  image?: string;
  imagePath: string;
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

export const toRelative = (from: string, to: string) => {
  const found = relative(dirname(from), to);
  return found.startsWith('.') ? found : `./${found}`;
};

export const address = (page: string, anchor = '') => `/${page === 'index' ? '' : page}${anchor && `#${anchor}`}`;
export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export const inFolder =
  (folder: string, extension: string, index = 'index'): Shape['path'] =>
  (page) =>
    `${folder}${page === 'index' ? index : page}.${extension}`;

export const summary = (entries: readonly string[], path: Shape['path'], folder = '') =>
  `# Summary\n\n${entries.map((page) => `* [${titles.get(page)}](${path(page).slice(folder.length)})`).join('\n')}\n`;
