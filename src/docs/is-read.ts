import { markdownExtensions, otherPageExtensions } from './page-extensions.ts';

/** Pages, and files that configure a site: pages first, then data, then code. */
const kinds = [
  new RegExp(`\\.(?:${[...markdownExtensions, ...otherPageExtensions].join('|')})$`, 'i'),
  /\.(?:json|ya?ml|toml)$|(?:^|\/)(?:_redirects|\.mintignore|\.gitignore|conf\.py|index\.html)$/i,
  /\.[cm]?[jt]sx?$/i,
];
const generated = /(?:^|\/)(?:node_modules|package-lock\.json|npm-shrinkwrap\.json)(?:\/|$)/;

/** Of other files, only the path is known. */
export const isRead = (path: string): boolean => rankText(path) >= 0 && !generated.test(path);

/** The lower, the sooner it is read. Negative: never. */
export const rankText = (path: string): number => kinds.findIndex((kind) => kind.test(path));

/** Longer files are data, not documentation. */
export const maxReadBytes = 2 * 1024 ** 2;
