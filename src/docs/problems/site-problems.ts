import type { FoundProblem, ProblemKind } from '../problem.ts';
import { findSameSite, type Site } from '../sites/open-sites.ts';

export type LinkKind = Extract<ProblemKind, 'link' | 'image' | 'anchor' | 'import'>;

/** All problems of one site, and how many links of each kind were checked. */
export interface SiteProblems {
  site: Site;
  problems: FoundProblem[];
  checked: Record<LinkKind, number>;
  /** How many different targets those links have. */
  targets: Record<LinkKind, number>;
}

/** The same site in another state. */
export function findBefore(base: readonly SiteProblems[], site: Site): SiteProblems | undefined {
  const before = findSameSite(
    base.map((each) => each.site),
    site,
  );
  return base.find((each) => each.site === before);
}
