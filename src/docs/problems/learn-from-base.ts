import type { ProblemKind } from '../problem.ts';
import { missingTitle } from './find-front-matter-problems.ts';
import type { SiteProblems } from './find-problems.ts';

const maxBrokenShare = 0.2;
/** Fewer broken links prove nothing. */
const leastBroken = 10;
const linkKinds = ['link', 'image', 'anchor', 'import'] as const;

/**
 * Returns whether a problem is reliable. If a fifth of the base's links of one kind are broken, the site has rules that are not known. A page
 * of the base without a title shows that none is needed. If the base's navigation was unreadable, there are no entries to compare.
 */
export function learnFromBase(
  base: SiteProblems | undefined,
): (problem: { kind: ProblemKind; target: string }) => boolean {
  if (!base) return () => true;
  const { problems, checked, site } = base;
  const isOff = (kind: ProblemKind) => {
    const broken = problems.filter((problem) => problem.kind === kind).length;
    return broken >= leastBroken && broken > (checked[kind] ?? 0) * maxBrokenShare;
  };
  const off = new Set<ProblemKind>(linkKinds.filter(isOff));
  const hasUntitled = problems.some(({ kind, target }) => kind === 'front-matter' && target === missingTitle);
  const hadNavigation = site.navigationFaults.length === 0;
  return ({ kind, target }) => {
    if (kind === 'front-matter') return !(hasUntitled && target === missingTitle);
    if (kind === 'navigation' || kind === 'unlisted') return hadNavigation;
    return !off.has(kind);
  };
}
