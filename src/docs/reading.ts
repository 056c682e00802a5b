import type { ReadText } from './pages/page-reader.ts';
import { findProblems } from './problems/find-problems.ts';
import type { SiteProblems } from './problems/site-problems.ts';
import { openSites, type Site } from './sites/open-sites.ts';
import { reopenSites } from './sites/reopen-sites.ts';
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
