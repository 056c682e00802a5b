import type { ReadText } from './pages/page-reader.ts';
import type { Page } from './pages/read-page.ts';
import { findProblems } from './problems/find-problems.ts';
import type { SiteProblems } from './problems/site-problems.ts';
import { compareSites, type SiteChanges } from './sites/compare-sites.ts';
import { findFormat, openSites, type Site } from './sites/open-sites.ts';
import { type FileTree, folderOf } from './tree.ts';

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
  let opened: { sites: readonly Site[]; settings: ReadonlySet<string>; changes?: SiteChanges } | undefined;
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
      const { sites, changes } = open();
      found ??= findProblems({ tree, sites }, before && changes && { found: before.found, ...changes });
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
  const { changed, moved } = compareTrees(before.tree, tree);
  if ([...changed, ...moved].some((path) => before.settings.has(path))) return undefined;
  if (moved.length === 0) {
    const sites = reopenSites(before.sites, { changed, tree, readText });
    return sites && { sites, settings: before.settings, changes: { changed } };
  }
  const { sites, settings } = readAll(tree, readText);
  const isAlone = (path: string) => [before.tree, tree].every((each) => each.hasFolder(folderOf(path)));
  const hasSame = settings.symmetricDifference(before.settings).size === 0 && moved.every(isAlone);
  const changes = hasSame ? compareSites(before.sites, sites, { changed, moved }) : undefined;
  return { sites, settings, ...(changes && { changes }) };
}

/** `moved`: files that were added or are gone. */
function compareTrees(before: FileTree, after: FileTree): { changed: string[]; moved: string[] } {
  const isChanged = (path: string) =>
    before.identify(path) !== after.identify(path) && before.read(path) !== after.read(path);
  return {
    changed: [...after.paths].filter((path) => before.paths.has(path) && isChanged(path)),
    moved: [...before.paths.symmetricDifference(after.paths)],
  };
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
