import { findLinkProblems } from './find-link-problems.ts';
import { findNavigationProblems, findUnlisted } from './find-navigation-problems.ts';
import type { Problem } from './problem.ts';
import type { Site } from './sites/open-sites.ts';
import type { FileTree } from './tree.ts';

export interface Found {
  problems: Problem[];
  checkedLinks: number;
}

/** All problems of one state of a repository, and how much was looked at. */
export function findProblems({ tree, sites }: { tree: FileTree; sites: readonly Site[] }): Found {
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
