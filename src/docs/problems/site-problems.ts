import type { FoundProblem } from '../problem.ts';
import type { ProblemKind } from '../problem-kinds.ts';
import { findSameSite, type Site } from '../sites/open-sites.ts';

export type LinkKind = Extract<ProblemKind, 'link' | 'image' | 'anchor' | 'import'>;
/** Kinds that are not judged where many are wrong already. */
export type CountedKind = LinkKind | 'alt-text';

/** All problems of one site, and how many links of each kind were checked. */
export interface SiteProblems {
  site: Site;
  problems: FoundProblem[];
  checked: Record<LinkKind, number>;
  /** How many different targets those links have, and how many different images there are. */
  targets: Record<CountedKind, number>;
}

/** The same site in another state. */
export function findBefore(base: readonly SiteProblems[], site: Site): SiteProblems | undefined {
  const before = findSameSite(
    base.map((each) => each.site),
    site,
  );
  return base.find((each) => each.site === before);
}
