import { findNearest } from '../../find-nearest-name.ts';
import type { NavigationEntry } from '../frameworks/site-rules.ts';
import type { FoundProblem } from '../problem.ts';
import { isOfFolder } from '../sites/folder-entry.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';
import { readWrittenEntry } from './written-entry.ts';

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
  const lost = site.navigation.filter(({ isLost }) => isLost);
  return [...faults, ...lost.map((entry) => toProblem(tree, entry, site)), ...findLostParents(site)];
}

function findLostParents({ pages, parentKeys = [] }: Site): FoundProblem[] {
  if (parentKeys.length === 0) return [];
  const titles = new Set(Array.from(pages.values(), ({ frontMatter: { data } }) => String(data.title ?? '').trim()));
  return [...pages].flatMap(
    ([
      file,
      {
        frontMatter: { data },
      },
    ]) =>
      parentKeys.flatMap((key): FoundProblem[] => {
        const title = data[key];
        if (typeof title !== 'string' || data.nav_exclude === true || titles.has(title.trim())) return [];
        const describe = () =>
          `no page has the title ${title}, which this page names as its ${key}: the navigation lacks it`;
        const suggest = () => findNearest(title, titles);
        return [
          { file, line: 1, kind: 'navigation', severity: 'should', target: `${key} ${title}`, describe, suggest },
        ];
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
