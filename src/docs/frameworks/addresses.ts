import { isMarkdown } from '../page-extensions.ts';

export const withoutExtension = (path: string): string =>
  isMarkdown(path) ? path.slice(0, path.lastIndexOf('.')) : path;

/** `guides/index` and `guides/README` are `guides`. */
export const withoutIndex = (path: string): string => path.replace(/(^|\/)(?:index|README)$/i, '').replace(/\/$/, '');

/** Joined, absolute, without a slash at the end. */
export const toAddress = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

/** The address of a page's path below its folder. */
export const pageAddress = (path: string, prefix = ''): string =>
  toAddress(prefix, withoutIndex(withoutExtension(path)));
