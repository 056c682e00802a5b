import { type GoneFile, leadsTo } from './describe-problems.ts';
import { createDocumentation, type Documentation } from './documentation.ts';
import { plain } from './frameworks/plain.ts';
import type { FoundProblem, Problem } from './problem.ts';
import type { ProblemKind } from './problem-kinds.ts';
import { findApiProblems } from './problems/find-api-problems.ts';
import { findLostAddresses } from './problems/find-lost-addresses.ts';
import { findSyntaxProblems } from './problems/find-syntax-problems.ts';
import { learnFromBase, listUnchecked } from './problems/learn-from-base.ts';
import { findBefore, type SiteProblems } from './problems/site-problems.ts';
import type { Reading } from './reading.ts';
import { findPart } from './sites/find-part.ts';
import type { Site } from './sites/open-sites.ts';
import { resolveLink } from './sites/resolve-link.ts';
import { type FileTree, folderOf, isBelow } from './tree.ts';

export interface Checked {
  /** Only what the change brought, also in files that it did not touch. */
  problems: Problem[];
  /** Deleted and moved files that problems lead to. */
  goneFiles: GoneFile[];
  sites: { framework: string; root: string; pages: number }[];
  checkedLinks: number;
  /** Pages that the change touched, or all pages. */
  parsedPages: number;
  /** Pages that were not parsed for lack of time. */
  unparsedPages: number;
  /** Whether entries of a navigation were read and judged. */
  navigation: boolean;
  /** What was left alone and why, one sentence each. */
  notChecked: string[];
}

/** Compares two trees of a documentation repository. Reads all of both: no file is run, and none is written. Pure. */
export const checkChange = (trees: { base: FileTree; head: FileTree }, options: CheckOptions = {}): Checked =>
  checkDocumentation(createDocumentation(trees).with(new Map()), options);

interface CheckOptions {
  /** Also problems of the base. */
  all?: boolean;
  /** Kinds that are left alone. */
  off?: readonly ProblemKind[];
}

/** A question: the problems of the head that the base did not have; with `all`, every problem of the head. */
export function checkDocumentation(
  documentation: Documentation,
  { all = false, off = [] }: CheckOptions = {},
): Checked {
  const { head } = documentation;
  const syntax = findSyntaxProblems(documentation, { all });
  const apis = findApiProblems(documentation, { all });
  const listed = all ? listAll(documentation, [...syntax.head, ...apis.head]) : listNew(documentation, syntax, apis);
  const isFixture = createFixtureTest(documentation);
  const found = listed.filter(({ kind, file }) => !off.includes(kind) && !isFixture(file));
  const goneFiles = findGoneFiles(found, documentation);
  return {
    problems: found.map((problem) => {
      const { file, line, kind, severity, target } = problem;
      return { file, line, kind, severity, message: describe(problem, goneFiles), target };
    }),
    goneFiles,
    sites: head.sites
      .filter(({ pages }) => pages.size > 0)
      .map(({ framework, root, pages }) => ({ framework: framework.name, root, pages: pages.size })),
    checkedLinks: head.found.reduce((sum, { checked }) => sum + (checked.link ?? 0) + (checked.image ?? 0), 0),
    parsedPages: syntax.parsedPages,
    unparsedPages: syntax.unparsedPages,
    navigation: head.sites.some((site) => isNavigationJudged(site, all ? head : documentation.base)),
    notChecked: [...listUnchecked(documentation, { all }), ...apis.unjudged],
  };
}

const fixtures = /(?:^|\/)(?:tests?|testsuite|testdata|fixtures?|__tests__|__fixtures__)\//;

/** Whether a file belongs to a site, or is a page outside of sites, that programs are tested with: its faults may be meant. */
function createFixtureTest({ base, head }: Documentation): (file: string) => boolean {
  const known = [...base.sites, ...head.sites].filter(({ framework }) => framework !== plain);
  const nearestFirst = known.map(({ root }) => root).toSorted((a, b) => b.length - a.length);
  return (file) => {
    const root = nearestFirst.find((each) => isBelow(file, each));
    return fixtures.test(root === undefined ? file : `${root}/`);
  };
}

function isNavigationJudged(site: Site, { sites }: Reading): boolean {
  const before = sites.find(({ framework, root }) => framework === site.framework && root === site.root);
  const faults = [...site.navigationFaults, ...(before?.navigationFaults ?? [])];
  return site.navigation.length > 0 && faults.length === 0;
}

/** The new place of a file that moved is better than any suggestion. */
function describe(problem: FoundProblem, goneFiles: readonly GoneFile[]): string {
  const gone = goneFiles.find((file) => leadsTo(problem, file));
  if (gone !== undefined) {
    const { path, movedTo } = gone;
    return `${problem.describe()}: this change ${movedTo === undefined ? `deletes ${path}` : `moves ${path} to ${movedTo}`}`;
  }
  const suggestion = problem.suggest?.();
  return suggestion === undefined ? problem.describe() : `${problem.describe()}. Did you mean ${suggestion}?`;
}

function listNew(
  documentation: Documentation,
  ...compared: { head: FoundProblem[]; base: FoundProblem[] }[]
): FoundProblem[] {
  const { base, head } = documentation;
  const known = base.found.flatMap(({ problems }) => problems);
  const reliable = head.found.flatMap((found) => selectReliable(found, documentation));
  const lost = findLostAddresses(documentation);
  const now = [...compared.flatMap((each) => each.head), ...reliable, ...lost];
  return subtractKnown(now, [...known, ...compared.flatMap((each) => each.base)], documentation);
}

/** Also what a change would not be judged by: a site where most is broken must not look like one where nothing is. */
const listAll = (documentation: Documentation, others: readonly FoundProblem[]): FoundProblem[] => [
  ...others,
  ...documentation.head.found.flatMap(({ problems }) => problems.filter(({ doubt }) => doubt === undefined)),
];

/** Who takes so many pages out of the navigation in one change means to, or one that links still lead to, and who leaves out most of a folder. */
const leastMeant = 3;

function selectReliable({ site, problems }: SiteProblems, { base, originOf }: Documentation): FoundProblem[] {
  const before = findBefore(base.found, site);
  const wasFound = ({ file, written = '', doubt }: FoundProblem) => {
    const from = { tree: base.tree, site: before?.site ?? site, from: originOf(file) };
    return doubt === undefined || ['page', 'file'].includes(resolveLink({ ...from, target: written, ...doubt }).kind);
  };
  const listed = new Set(before?.site.navigation.map(({ page }) => page));
  const takenOut = problems.filter(({ kind, file }) => kind === 'unlisted' && listed.has(originOf(file)));
  const unlisted = before?.problems.filter(({ kind }) => kind === 'unlisted').map(({ file }) => file) ?? [];
  const isMeant = (problem: FoundProblem) => {
    if (problem.kind !== 'unlisted') return false;
    if (takenOut.includes(problem)) return takenOut.length >= leastMeant || problem.isLinked?.() === true;
    // A new folder is like those beside it.
    const around = [folderOf, (file: string) => `${folderOf(folderOf(file))}/*`];
    return around.some((placeOf) => {
      const isBeside = (file = '') => placeOf(file) === placeOf(problem.file);
      const beside = unlisted.filter(isBeside).length;
      return beside >= leastMeant && beside > listed.values().filter(isBeside).toArray().length;
    });
  };
  const reliable = problems.filter(learnFromBase(before)).filter((each) => wasFound(each) && !isMeant(each));
  return before && before.site.navigationFaults.length > 0 ? [...reliable, ...stillBroken(site)] : reliable;
}

/** Reported once: the entries of a broken navigation cannot be compared. */
const stillBroken = ({ navigationFaults }: Site): FoundProblem[] =>
  navigationFaults.slice(0, 1).map(({ file, line, message }) => ({
    file,
    line,
    kind: 'navigation',
    severity: 'should',
    target: 'still broken',
    describe: () => `the navigation was broken before and still is, so its entries are not checked: ${message}`,
  }));

/** Files of the base that these problems led to, and that the head no longer has at that path. */
function findGoneFiles(problems: readonly FoundProblem[], { base, head, moves }: Documentation): GoneFile[] {
  const places = new Map([...moves].map(([now, was]) => [was, now]));
  const targets = new Map<string, Set<string>>();
  for (const { file, written, target } of problems) {
    if (written === undefined) continue;
    const was = moves.get(file) ?? file;
    const path = findInBase(base, was, written);
    if (path === undefined || !base.tree.paths.has(path) || head.tree.paths.has(path)) continue;
    targets.set(path, (targets.get(path) ?? new Set()).add(target));
  }
  return [...targets].map(([path, of]) => ({ path, movedTo: places.get(path), targets: [...of] }));
}

function findInBase({ tree, sites }: Documentation['base'], file: string, written: string): string | undefined {
  const site = sites.find(({ pages }) => pages.has(file));
  if (site === undefined) {
    const entries = sites.flatMap(({ navigation }) => navigation);
    return entries.find((entry) => entry.file === file && entry.target === written)?.page;
  }
  const found = resolveLink({ tree, site, from: file, target: written });
  return found.kind === 'page' || found.kind === 'file' ? found.path : findPart(tree, site, file, written);
}

/**
 * The problems that the base does not have. As multisets: a file that had one broken link to a page and now has two has one more. A problem is the
 * same if it is in the same file, even if that was renamed, and leads to the same place, or is written in the same way. A copy has
 * the problems of its original.
 */
function subtractKnown(
  after: readonly FoundProblem[],
  before: readonly FoundProblem[],
  { moves, originOf }: { moves: ReadonlyMap<string, string>; originOf(path: string): string },
): FoundProblem[] {
  const byOrigin = Map.groupBy(before, ({ file }) => file);
  return [...Map.groupBy(after, ({ file }) => file)].flatMap(([file, problems]) => {
    const known = [...(byOrigin.get(originOf(file)) ?? [])];
    const take = (isSame: (other: FoundProblem) => boolean) => {
      const index = known.findIndex(isSame);
      if (index >= 0) known.splice(index, 1);
      return index >= 0;
    };
    const elsewhere = problems.filter(
      ({ kind, target }) => !take((other) => other.kind === kind && other.target === moveTarget(target, moves)),
    );
    // Relative links of a page that moves, and links to a version that is not the latest any more.
    return elsewhere.filter(
      ({ kind, written }) =>
        written === undefined || !take((other) => other.kind === kind && other.written === written),
    );
  });
}

/** `path#anchor` of a page that moved. */
function moveTarget(target: string, moves: ReadonlyMap<string, string>): string {
  const [path = '', ...anchor] = target.split('#');
  return [moves.get(path) ?? path, ...anchor].join('#');
}
