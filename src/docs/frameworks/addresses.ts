import { isMarkdown } from '../page-extensions.ts';
import type { FileTree } from '../tree.ts';

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

const link = /\]\((\/[^\s()#?{}.]{1,500})(?=[\s)#?])/g;
/** Fewer links prove nothing. */
export const leastLinks = 3;
/** The rest may be pages that a change is about to move. */
export const leastShare = 0.75;

/** How many absolute links of these pages lead to one of the addresses, of those that `isMeant` takes for links to them. */
export function measureLinks(
  tree: FileTree,
  pages: readonly string[],
  { addresses, isMeant }: { addresses: ReadonlySet<string>; isMeant: (target: string) => boolean },
): { right: number; total: number; share: number } {
  const targets = new Set(
    pages.flatMap((path) =>
      Array.from((tree.read(path) ?? '').matchAll(link), ([, target = '']) => target.replace(/(?<=.)\/$/, '')),
    ),
  );
  const meant = [...targets].filter(isMeant);
  const right = meant.filter((target) => addresses.has(target)).length;
  return { right, total: meant.length, share: right / Math.max(1, meant.length) };
}
