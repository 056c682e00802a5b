import { findNearest } from './nearest.ts';
import type { Problem } from './problem.ts';
import type { Site } from './sites/open-sites.ts';
import { resolveLink } from './sites/resolve-link.ts';
import { type FileTree, joinPath } from './tree.ts';

/** Navigation files that cannot be read, and entries that lead to nothing. */
export function findNavigationProblems(tree: FileTree, site: Site): Problem[] {
  const faults = site.navigationFaults.map(
    ({ file, line, message }): Problem => ({
      file,
      line,
      kind: 'navigation',
      severity: 'must',
      target: message,
      message,
    }),
  );
  const lost = site.navigation
    .filter(({ target }) => !isListed(tree, site, target))
    .map(({ target, file, line }): Problem => {
      const nearest = findNearest(
        target,
        [...site.pages.keys()].map((path) => toEntry(path, site, target)),
      );
      const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
      return {
        file,
        line,
        kind: 'navigation',
        severity: 'must',
        target,
        message: `the entry ${target} leads to no page${hint}`,
      };
    });
  return [...faults, ...lost];
}

/** Pages that no entry leads to, where every page is listed by hand. */
export function findUnlisted(site: Site): Problem[] {
  const { navigationFile } = site;
  if (navigationFile === undefined || site.navigationFaults.length > 0) return [];
  const listed = new Set(site.navigation.flatMap(({ target }) => findListed(site, target) ?? []));
  return [...site.pages.keys()]
    .filter((path) => path !== navigationFile && site.mustBeListed(path) && !listed.has(path))
    .map((path): Problem => {
      const example = site.navigation[0];
      const form = example === undefined ? '' : `, where an entry reads ${example.target}`;
      return {
        file: path,
        line: 1,
        kind: 'unlisted',
        severity: 'should',
        target: path,
        message: `no reader finds this page: add it to ${navigationFile}${form}`,
      };
    });
}

const isListed = (tree: FileTree, site: Site, target: string) =>
  findListed(site, target) !== undefined || tree.paths.has(target) || isAddress(tree, site, target);

function isAddress(tree: FileTree, site: Site, target: string): boolean {
  const found = resolveLink({
    tree,
    site,
    from: joinPath(site.root, 'index.md') ?? '',
    target: `/${target.replace(/^\//, '')}`,
  });
  return found.kind !== 'broken';
}

function findListed(site: Site, target: string): string | undefined {
  if (site.pages.has(target)) return target;
  const address = `/${target}`.replace(/\/+/g, '/').replace(/(?:\/index)?\/?$/i, '') || '/';
  return site.byAddress.get(address.toLowerCase());
}

const toEntry = (path: string, { root }: Site, like: string): string => {
  const below = root === '' || like.startsWith(`${root}/`) ? path : path.slice(root.length + 1);
  return /\.\w+$/.test(like) ? below : below.replace(/\.\w+$/, '');
};
