import { findNearest } from '../nearest.ts';
import type { FoundProblem } from '../problem.ts';
import type { NavigationEntry } from '../sites/framework.ts';
import type { Site } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, joinPath } from '../tree.ts';

/** Navigation files that cannot be read, and entries that lead to nothing. */
export function findNavigationProblems(tree: FileTree, site: Site): FoundProblem[] {
  const faults = site.navigationFaults.map(
    ({ file, line, message }): FoundProblem => ({
      file,
      line,
      kind: 'navigation',
      severity: 'must',
      target: unreadable,
      describe: () => message,
    }),
  );
  const lost = site.navigation.filter((entry) => !leadsSomewhere(tree, site, entry));
  return [...faults, ...lost.map((entry) => toProblem(entry, site))];
}

/** However the file is broken, it is broken already. */
export const unreadable = 'the navigation file';

/** The page that an entry of the navigation leads to. */
export function findListedPage(site: Site, target: string): string | undefined {
  if (site.pages.has(target)) return target;
  const address = `/${target}`.replace(/\/+/g, '/').replace(/(?:\/index)?\/?$/i, '') || '/';
  return site.byAddress.get(address.toLowerCase());
}

function leadsSomewhere(tree: FileTree, site: Site, { target }: NavigationEntry): boolean {
  if (findListedPage(site, target) !== undefined || tree.paths.has(target)) return true;
  const from = joinPath(site.root, 'index.md') ?? '';
  return resolveLink({ tree, site, from, target: `/${target.replace(/^\//, '')}` }).kind !== 'broken';
}

const toProblem = ({ target, file, line }: NavigationEntry, site: Site): FoundProblem => ({
  file,
  line,
  kind: 'navigation',
  severity: 'must',
  target,
  written: target,
  describe() {
    const nearest = findNearest(
      target,
      [...site.pages.keys()].map((path) => toEntry(path, site, target)),
    );
    return `the entry ${target} leads to no page${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`;
  },
});

const toEntry = (path: string, { root }: Site, like: string): string => {
  const below = root === '' || like.startsWith(`${root}/`) ? path : path.slice(root.length + 1);
  return /\.\w+$/.test(like) ? below : below.replace(/\.\w+$/, '');
};
