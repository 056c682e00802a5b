import type { Documentation } from '../documentation.ts';

interface ChangedPage {
  path: string;
  /** Below the site's start, absolute, without a slash at the end. */
  address: string;
  /** The prefix that a deployed site may have before its addresses. Empty: none. */
  base: string;
  isNew: boolean;
}

const maxPages = 50;

/** A question: the pages that the change adds or rewrites, with their addresses, new ones first. Pages of no known site have none. */
export function listChangedPages({ base, head }: Documentation, _input: Record<string, never>): ChangedPage[] {
  const changed = head.sites.flatMap((site) => {
    if (site.framework.sites === undefined) return [];
    return [...site.pages].flatMap(([path, page]): ChangedPage[] => {
      const [address] = site.addressesOf(path, page);
      const isNew = !base.tree.paths.has(path);
      if (address === undefined || (!isNew && base.tree.read(path) === head.tree.read(path))) return [];
      return [{ path, address, base: site.baseAddress, isNew }];
    });
  });
  return changed.toSorted((one, other) => Number(other.isNew) - Number(one.isNew)).slice(0, maxPages);
}
