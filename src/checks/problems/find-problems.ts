import type { FoundProblem, ProblemKind } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';
import { findConfigurationFaults } from './find-configuration-faults.ts';
import { findFrontMatterProblems } from './find-front-matter-problems.ts';
import { findLinkProblems } from './find-link-problems.ts';
import { findNavigationProblems } from './find-navigation-problems.ts';
import { findRedirectProblems } from './find-redirect-problems.ts';
import { findUnlistedPages } from './find-unlisted-pages.ts';

/** All problems of one site, and how much was looked at. */
export interface SiteProblems {
  site: Site;
  problems: FoundProblem[];
  checked: Partial<Record<ProblemKind, number>>;
}

export function findProblems({ tree, sites }: { tree: FileTree; sites: readonly Site[] }): SiteProblems[] {
  return sites.map((site) => {
    const links = findLinkProblems(tree, site);
    const problems = [
      ...findFrontMatterProblems(site),
      ...links.problems,
      ...findNavigationProblems(site),
      ...findConfigurationFaults(tree, site),
      ...findRedirectProblems(tree, site),
      ...findUnlistedPages(site),
    ];
    return { site, problems, checked: links.checked };
  });
}
