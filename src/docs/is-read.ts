import { markdownExtensions, otherPageExtensions } from './page-extensions.ts';

const shown = /\.(?:c|cc|cpp|cs|css|go|h|html|java|kt|php|proto|py|rb|rs|sh|sql|swift|txt|vue|xml)$/i;
const examples = /(?:^|\/)(?:listings|snippets|docs?|docs_src|examples?|code)\//i;

/** Pages, and files that configure a site or stand in pages: pages first, then data, then code. */
const kinds = [
  new RegExp(`\\.(?:${[...markdownExtensions, ...otherPageExtensions].join('|')})$`, 'i'),
  /\.(?:json|ya?ml|toml)$|(?:^|\/)(?:_redirects|\.pages|\.mintignore|\.gitignore|conf\.py|index\.html|Makefile)$|\.sh$/i,
  // Routes of Astro whose names have brackets say which pages they serve.
  /\.[cm]?[jt]sx?$|\]\.astro$/i,
  // Code that pages show.
  { test: (path: string) => shown.test(path) && examples.test(path) },
];
const generated = /(?:^|\/)(?:node_modules|package-lock\.json|npm-shrinkwrap\.json)(?:\/|$)/;

/** Of other files, only the path is known. */
export const isRead = (path: string): boolean => rankText(path) >= 0 && !generated.test(path);

/** The lower, the sooner it is read. Negative: never. */
export const rankText = (path: string): number => kinds.findIndex((kind) => kind.test(path));

/** Longer files are data, not documentation. */
export const maxReadBytes = 2 * 1024 ** 2;
