import type { ProblemKind } from '../problem-kinds.ts';
import { nameOf } from '../tree.ts';
import { missingTitle } from './find-front-matter-problems.ts';
import type { CountedKind, SiteProblems } from './site-problems.ts';
import { suggestWeb } from './suggest-link.ts';

const maxBrokenShare = 0.2;
/** Fewer broken links prove nothing. */
const leastBroken = 10;
/** Who leaves out the texts of some images does so of others. */
const ofImages = { maxShare: 0.05, least: 5 };

/** Links of one kind, or texts of images, that are not judged. Both count different targets: one link may stand on every page. */
export interface Distrust {
  kind: CountedKind;
  broken: number;
  total: number;
}

/** If a fifth of a site's links of one kind are broken, the site has rules that are not known. Links of parts prove nothing: nobody may show them. */
export function listDistrusted({ site, problems, targets }: SiteProblems): Distrust[] {
  // What is no link has no address, so it is not counted among the links.
  const ofPages = problems.filter(
    ({ file, doubt, written }) => doubt === undefined && written !== undefined && !site.isPart(file),
  );
  return (['link', 'image', 'anchor', 'import', 'alt-text'] as const).flatMap((kind) => {
    const broken = new Set(ofPages.filter((problem) => problem.kind === kind).map(({ target }) => target)).size;
    const total = targets[kind];
    const { maxShare, least } = kind === 'alt-text' ? ofImages : { maxShare: maxBrokenShare, least: leastBroken };
    return broken >= least && broken > total * maxShare ? [{ kind, broken, total }] : [];
  });
}

interface Written {
  file: string;
  written?: string;
}

/** The same link of pages of one name, such as those of several versions. */
const nameWritten = ({ file, written = '' }: Written) => `${nameOf(file)} ${written}`;
const leastVersions = 3;

/** What many pages write and nothing answers, and what the page of one name has in several versions: templates or redirects of the site read it. */
function createConventionTest({ problems }: SiteProblems): (problem: Written) => boolean {
  const relative = problems.filter(
    ({ kind, written }) => kind === 'link' && written !== undefined && !written.startsWith('/'),
  );
  const listOften = (name: (problem: Written) => string, least: number) =>
    new Set(
      [...Map.groupBy(relative, name)].flatMap(([key, found]) =>
        new Set(found.map(({ target }) => target)).size >= least ? [key] : [],
      ),
    );
  const everywhere = listOften(({ written = '' }) => written, leastBroken);
  const inVersions = listOften(nameWritten, leastVersions);
  return (problem) =>
    problem.written !== undefined &&
    suggestWeb(problem.written) === undefined &&
    (everywhere.has(problem.written) || inVersions.has(nameWritten(problem)));
}

/**
 * Returns whether a problem is reliable: its kind is not distrusted in the base. A page of the base without a title shows that none is needed.
 * If the base's navigation was unreadable, there are no entries to compare.
 */
export function learnFromBase(
  base: SiteProblems | undefined,
): (problem: Written & { kind: ProblemKind; target: string }) => boolean {
  if (!base) return () => true;
  const off = new Set<ProblemKind>(listDistrusted(base).map(({ kind }) => kind));
  const hasUntitled = base.problems.some(({ kind, target }) => kind === 'front-matter' && target === missingTitle);
  const hadNavigation = base.site.navigationFaults.length === 0;
  const isConvention = createConventionTest(base);
  // Such as names that a program of the site links.
  const faults = base.problems.filter((problem) => problem.kind === 'link' && problem.written === undefined);
  const hasFaults = new Set(faults.map(({ target }) => target)).size >= leastBroken;
  return (problem) => {
    const { kind, target, written } = problem;
    if (kind === 'front-matter') return !(hasUntitled && target === missingTitle);
    if (kind === 'navigation' || kind === 'unlisted') return hadNavigation;
    if (kind === 'link' && written === undefined && hasFaults) return false;
    return !off.has(kind) && !isConvention(problem);
  };
}
