import type { FoundProblem, ProblemKind } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';

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
export const findBefore = (base: readonly SiteProblems[], { framework, root }: Site): SiteProblems | undefined =>
  base.find(({ site }) => site.framework === framework && site.root === root);
