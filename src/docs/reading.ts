import type { ReadText } from './pages/page-reader.ts';
import type { Page } from './pages/read-page.ts';
import { findProblems } from './problems/find-problems.ts';
import type { SiteProblems } from './problems/site-problems.ts';
import { findFormat, openSites, type Site } from './sites/open-sites.ts';
import type { FileTree } from './tree.ts';

/** The files of a repository, and the sites in them. */
export interface SitesInTree {
  tree: FileTree;
  sites: readonly Site[];
}

/** One state of a repository. */
export interface Reading extends SitesInTree {
  /** By site: all problems, old and new. */
  readonly found: readonly SiteProblems[];
}

/** What the next state may take over. */
interface ReadOnce extends Reading {
  /** The files that say how the sites are read. */
  readonly settings: ReadonlySet<string>;
  /** Nothing of it is left to be read. */
  isWhole(): boolean;
}

/** Reads at the first use. Where only the text of pages differs from another state, takes over from it what cannot be different. */
export function createReading(tree: FileTree, readText: ReadText, like?: ReadOnce): ReadOnce {
  let before = like;
  let opened: { sites: readonly Site[]; settings: ReadonlySet<string>; changed?: readonly string[] } | undefined;
  let found: readonly SiteProblems[] | undefined;
  const open = () => {
    opened ??= (before && readOn(before, tree, readText)) ?? readAll(tree, readText);
    return opened;
  };
  return {
    tree,
    get sites() {
      return open().sites;
    },
    get settings() {
      return open().settings;
    },
    get found() {
      const { sites, changed } = open();
      found ??= findProblems({ tree, sites }, before && changed && { found: before.found, changed });
      before = undefined;
      return found;
    },
    isWhole: () => found !== undefined,
  };
}

function readAll(tree: FileTree, readText: ReadText) {
  const settings = new Set<string>();
  return { sites: openSites(tree, readText, (path) => settings.add(path)), settings };
}

function readOn(before: ReadOnce, tree: FileTree, readText: ReadText) {
  const changed = listChanged(before.tree, tree);
  if (changed === undefined || changed.some((path) => before.settings.has(path))) return undefined;
  const sites = reopenSites(before.sites, { changed, tree, readText });
  return sites && { sites, settings: before.settings, changed };
}

/** Undefined if files were added or are gone. */
function listChanged(before: FileTree, after: FileTree): string[] | undefined {
  if (before.paths.size !== after.paths.size) return undefined;
  const changed: string[] = [];
  for (const path of after.paths) {
    if (!before.paths.has(path)) return undefined;
    if (before.identify(path) !== after.identify(path) && before.read(path) !== after.read(path)) changed.push(path);
  }
  return changed;
}

/**
 * The sites of a tree that differs from theirs in the text of these files only. Undefined if more may be different: addresses, labels, navigation,
 * or which files are pages.
 */
function reopenSites(
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
