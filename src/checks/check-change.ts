import { findLinkProblems } from './find-link-problems.ts';
import { findNavigationProblems, findUnlisted } from './find-navigation-problems.ts';
import type { Page } from './pages/read-page.ts';
import { readPage } from './pages/read-page.ts';
import type { Problem } from './problem.ts';
import { openSites, type Site } from './sites/open-sites.ts';
import type { FileTree } from './tree.ts';

export interface Change {
  base: FileTree;
  head: FileTree;
  /** By the new path: the path that a file had in the base. */
  renames: ReadonlyMap<string, string>;
}

export interface Checked {
  /** Only what the change brought, also in files that it did not touch. */
  problems: Problem[];
  sites: { framework: string; root: string; pages: number }[];
  checkedLinks: number;
}

/** Compares two trees of a documentation repository. Reads all of both: no file is run, and none is written. Pure. */
export function checkChange({ base, head, renames }: Change): Checked {
  const pages = new Map<string, Page>();
  const read = (tree: FileTree) => (path: string, isMdx: boolean) => {
    const text = tree.read(path);
    if (text === undefined) return undefined;
    const key = `${isMdx} ${text}`;
    const page = pages.get(key) ?? readPage(text, { isMdx });
    pages.set(key, page);
    return page;
  };
  const before = findProblems(base, openSites(base, read(base)));
  const sites = openSites(head, read(head));
  const after = findProblems(head, sites);
  return {
    problems: subtract(after.problems, before.problems, renames),
    sites: sites
      .filter(({ pages }) => pages.size > 0)
      .map(({ framework, root, pages }) => ({ framework, root, pages: pages.size })),
    checkedLinks: after.checkedLinks,
  };
}

function findProblems(tree: FileTree, sites: readonly Site[]): { problems: Problem[]; checkedLinks: number } {
  const found = sites.map((site) => {
    const links = findLinkProblems(tree, site);
    return {
      checkedLinks: links.checkedLinks,
      problems: [
        ...findPageProblems(site),
        ...links.problems,
        ...findNavigationProblems(tree, site),
        ...findUnlisted(site),
      ],
    };
  });
  return {
    problems: found.flatMap(({ problems }) => problems),
    checkedLinks: found.reduce((sum, { checkedLinks }) => sum + checkedLinks, 0),
  };
}

const findPageProblems = ({ pages }: Site): Problem[] =>
  [...pages].flatMap(
    ([
      file,
      {
        frontMatter: { fault },
      },
    ]) =>
      fault
        ? [
            {
              file,
              line: fault.line,
              kind: 'front-matter',
              severity: 'must',
              target: fault.message,
              message: fault.message,
            } as const,
          ]
        : [],
  );

/** As multisets: a file that had one broken link to a page and now has two has one more. */
function subtract(
  after: readonly Problem[],
  before: readonly Problem[],
  renames: ReadonlyMap<string, string>,
): Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) {
    const key = identify(problem, problem.file);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return after.filter((problem) => {
    const key = identify(problem, renames.get(problem.file) ?? problem.file);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

const identify = ({ kind, target }: Problem, file: string) => [file, kind, target].join('\n');
