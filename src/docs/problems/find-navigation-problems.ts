import { findNearest } from '../../find-nearest-name.ts';
import { isOfFolder, type NavigationEntry } from '../frameworks/site-rules.ts';
import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import { findPart } from '../sites/find-part.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';
import type { LinkFindings } from './site-problems.ts';

/** Navigation files that cannot be read, and entries that lead to nothing. */
export function findNavigationProblems(tree: FileTree, site: Site): FoundProblem[] {
  const faults = site.navigationFaults.map(({ file, line, message }): FoundProblem => {
    return { file, line, kind: 'navigation', severity: 'must', target: unreadable, describe: () => message };
  });
  const lost = site.navigation.filter(({ isLost }) => isLost);
  return [...faults, ...lost.map((entry) => toProblem(tree, entry, site)), ...findLostParents(site)];
}

function findLostParents({ pages, parentKeys = [] }: Site): FoundProblem[] {
  if (parentKeys.length === 0) return [];
  const titles = new Set(Array.from(pages.values(), ({ frontMatter: { data } }) => String(data.title ?? '').trim()));
  return [...pages].flatMap(([file, { frontMatter }]) =>
    parentKeys.flatMap((key): FoundProblem[] => {
      const { [key]: title, nav_exclude: isExcluded } = frontMatter.data;
      if (typeof title !== 'string' || isExcluded === true || titles.has(title.trim())) return [];
      const describe = () =>
        `no page has the title ${title}, which this page names as its ${key}: the navigation lacks it`;
      const suggest = () => findNearest(title, titles);
      return [{ file, line: 1, kind: 'navigation', severity: 'should', target: `${key} ${title}`, describe, suggest }];
    }),
  );
}

/** One target for all faults of a file, so that a file that was broken before brings no new problem. */
export const unreadable = 'the navigation file';

function toProblem(tree: FileTree, entry: NavigationEntry, site: Site): FoundProblem {
  const { target, file, line, isCode } = entry;
  const { written, folder } = readWrittenEntry(tree, entry);
  const isFolder = isOfFolder(entry);
  return {
    file,
    line,
    kind: 'navigation',
    // Code may use it in another way.
    severity: isCode ? 'should' : 'must',
    target,
    written: target,
    describe: () => `the entry ${written} leads to no ${isFolder ? 'folder' : 'page'}`,
    suggest: () => {
      const nearest = isFolder ? undefined : findNearest(target, listEntries(site, target));
      return nearest?.startsWith(folder) ? nearest.slice(folder.length) : nearest;
    },
  };
}

/** How entries would name the pages: by address, or by file. */
function listEntries({ pages, byAddress, root }: Site, like: string): string[] {
  const addresses = Array.from(byAddress.keys(), (address) => (like.startsWith('/') ? address : address.slice(1)));
  const files = Array.from(pages.keys(), (path) => {
    const below = root === '' || like.startsWith(`${root}/`) ? path : path.slice(root.length + 1);
    return /\.\w+$/.test(like) ? below : below.replace(/\.\w+$/, '');
  });
  return [...addresses, ...files];
}

/** An entry as its file has it: `target` begins with the folder that it is relative to. */
function readWrittenEntry(
  tree: FileTree,
  { file, start, end, target }: NavigationEntry,
): { written: string; folder: string } {
  const written = tree.read(file)?.slice(start, end) ?? '';
  const isEnd = written !== '' && target.endsWith(written);
  return isEnd ? { written, folder: target.slice(0, -written.length) } : { written: target, folder: '' };
}

/** Pages that no entry leads to, where every page is listed by hand. */
export function findUnlistedPages(tree: FileTree, site: Site, links: LinkFindings['pages']): FoundProblem[] {
  const { navigationFile } = site;
  if (navigationFile === undefined || site.navigationFaults.length > 0) return [];
  const listed = new Map(
    site.navigation.flatMap((entry) => (entry.page === undefined ? [] : [[entry.page, entry] as const])),
  );
  const isLinked = createLinkTest(links, listed.keys());
  const lost = [...site.pages]
    .filter(([path]) => path !== navigationFile && site.mustBeListed(path) && !listed.has(path))
    .filter(([, page]) => !isHidden(page));
  const shown = lost.length === 0 ? undefined : listShown(tree, site);
  return lost
    .filter(([path]) => !shown?.has(path))
    .map(
      ([path]): FoundProblem => ({
        file: path,
        line: 1,
        kind: 'unlisted',
        severity: 'should',
        target: path,
        // A copy of an unlisted page brings nothing new.
        written: 'unlisted',
        isLinked: () => isLinked(path),
        describe() {
          const where = describeEntry(tree, path, listed) ?? navigationFile;
          return isLinked(path)
            ? `the navigation lacks this page, which readers find only by links: if it belongs there, add it to ${where}`
            : `no reader finds this page: add it to ${where}`;
        },
      }),
    );
}

/** What other pages include. */
const listShown = (tree: FileTree, site: Site): Set<string> =>
  new Set(
    [...site.pages].flatMap(([from, { parts }]) =>
      parts.flatMap(({ kind, target }) => (kind === 'include' ? (findPart(tree, site, from, target) ?? []) : [])),
    ),
  );

/** Whether links lead to a page from a listed one, directly or through others. Follows them at the first question: most problems are never shown. */
function createLinkTest(links: LinkFindings['pages'], listed: Iterable<string>): (path: string) => boolean {
  let reached: Set<string> | undefined;
  return (path) => {
    if (reached === undefined) {
      reached = new Set(listed);
      // A set yields what is added while it is read.
      for (const from of reached) for (const target of links.get(from)?.targets.link ?? []) reached.add(target);
    }
    return reached.has(path);
  };
}

/** The page says itself that it is not shown. */
const isHidden = ({ frontMatter: { data } }: Page) =>
  ['hidden', 'draft', 'unlisted'].some((key) => data[key] === true) || typeof data.url === 'string';

/** Where the page beside it is listed, and how. */
function describeEntry(tree: FileTree, path: string, listed: ReadonlyMap<string, NavigationEntry>): string | undefined {
  let best: { shared: number; entry: NavigationEntry } | undefined;
  for (const [other, entry] of listed) {
    const shared = countShared(path, other);
    if (best === undefined || shared > best.shared) best = { shared, entry };
  }
  return (
    best &&
    `${best.entry.file}, where line ${best.entry.line} has the entry ${readWrittenEntry(tree, best.entry).written}`
  );
}

/** Folders that both have, from the first one. */
function countShared(a: string, b: string): number {
  const [names, others] = [a.split('/'), b.split('/')];
  const differs = names.findIndex((name, index) => name !== others[index]);
  return differs < 0 ? names.length : differs;
}
