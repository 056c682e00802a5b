import type { FoundProblem } from '../problem.ts';
import type { ProblemKind } from '../problem-kinds.ts';
import { findSameSite, type Site } from '../sites/open-sites.ts';

export type LinkKind = Extract<ProblemKind, 'link' | 'image' | 'anchor' | 'import'>;
/** Kinds that are not judged where many are wrong already. */
export type CountedKind = LinkKind | 'alt-text';

/** What was found in the links of one page. */
export interface PageLinks {
  problems: FoundProblem[];
  checked: Record<LinkKind, number>;
  targets: Record<LinkKind, readonly string[]>;
  /** Files whose anchors or regions were looked for. */
  anchored: ReadonlySet<string>;
}

export interface LinkFindings {
  pages: ReadonlyMap<string, PageLinks>;
  /** Files whose anchors other pages have, too. */
  parts: ReadonlySet<string>;
}

/** All problems of one site, and how many links of each kind were checked. */
export interface SiteProblems {
  site: Site;
  problems: FoundProblem[];
  checked: Record<LinkKind, number>;
  /** Problems that are the same as long as addresses, labels, navigation and redirects are. */
  settled: FoundProblem[];
  links: LinkFindings;
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
