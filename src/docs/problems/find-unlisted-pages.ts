import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import type { NavigationEntry } from '../sites/framework.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';
import { readWrittenEntry } from './written-entry.ts';

/** Pages that no entry leads to, where every page is listed by hand. */
export function findUnlistedPages(tree: FileTree, site: Site): FoundProblem[] {
  const { navigationFile } = site;
  if (navigationFile === undefined || site.navigationFaults.length > 0) return [];
  const listed = new Map(site.navigation.flatMap((entry) => toPair(entry.page, entry)));
  return [...site.pages]
    .filter(([path]) => path !== navigationFile && site.mustBeListed(path) && !listed.has(path))
    .filter(([, page]) => !isHidden(page))
    .map(
      ([path]): FoundProblem => ({
        file: path,
        line: 1,
        kind: 'unlisted',
        severity: 'should',
        target: path,
        describe: () => `no reader finds this page: add it to ${describeEntry(tree, path, listed) ?? navigationFile}`,
      }),
    );
}

const toPair = (path: string | undefined, entry: NavigationEntry) =>
  path === undefined ? [] : [[path, entry] as const];

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
