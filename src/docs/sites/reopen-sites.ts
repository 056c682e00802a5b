import type { ReadText } from '../pages/page-reader.ts';
import type { Page } from '../pages/read-page.ts';
import type { FileTree } from '../tree.ts';
import { findFormat, type Site } from './open-sites.ts';

/**
 * The sites of a tree that differs from theirs in the text of these files only. Undefined if more may be different: addresses, labels, navigation,
 * or which files are pages.
 */
export function reopenSites(
  sites: readonly Site[],
  { changed, tree, readText }: { changed: readonly string[]; tree: FileTree; readText: ReadText },
): Site[] | undefined {
  const reopened: Site[] = [];
  let left = changed.length;
  for (const site of sites) {
    const pages = new Map(site.pages);
    for (const path of changed) {
      const before = pages.get(path);
      if (before === undefined) continue;
      const text = tree.read(path);
      const format = findFormat(site, path);
      const page = text === undefined || format === undefined ? undefined : readText(text, format);
      if (page === undefined || !isAlike(site, path, before, page)) return undefined;
      pages.set(path, page);
      left -= 1;
    }
    reopened.push({ ...site, pages });
  }
  return left === 0 ? reopened : undefined;
}

/** Nothing that other pages depend on is different, but for anchors. */
function isAlike(site: Site, path: string, before: Page, after: Page): boolean {
  const describe = (page: Page) =>
    JSON.stringify([
      [page.frontMatter.data, page.frontMatter.fault, page.labels, page.entries],
      [site.addressesOf(path, page), site.namesOf?.(path, page), site.labelsOf?.(path, page)],
    ]);
  return describe(before) === describe(after);
}
