import type { Documentation } from '../documentation.ts';
import { plain } from '../frameworks/plain.ts';
import { extensionOf, isMarkdown, otherPageExtensions } from '../page-extensions.ts';
import type { ProblemKind } from '../problem-kinds.ts';
import type { Site } from '../sites/open-sites.ts';
import { nameOf } from '../tree.ts';
import { missingTitle } from './find-page-problems.ts';
import { type CountedKind, findBefore, type SiteProblems } from './site-problems.ts';
import { suggestWeb } from './suggest-link.ts';

const maxBrokenShare = 0.2;
/** Fewer broken links prove nothing. */
const leastBroken = 10;
/** Who leaves out the texts of some images does so of others. */
const ofImages = { maxShare: 0.05, least: 5 };

/** Links of one kind, or texts of images, that are not judged. Both count different targets: one link may stand on every page. */
interface Distrust {
  kind: CountedKind;
  broken: number;
  total: number;
}

/** If a fifth of a site's links of one kind are broken, the site has rules that are not known. Links of parts prove nothing: nobody may show them. */
function listDistrusted({ site, problems, targets }: SiteProblems): Distrust[] {
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

/** Fewer pages in another format, beside those that are read, are no part of the documentation. */
const leastShare = 0.1;
const nouns: Record<Distrust['kind'], string> = {
  link: 'Links',
  image: 'Images',
  anchor: 'Anchors',
  import: 'Imports and includes',
  'alt-text': 'Texts of images',
};

/** What the checks leave alone and why: one sentence each, for people. `all`: broken links are listed even where most are broken. */
export function listUnchecked({ base, head }: Documentation, { all = false }: { all?: boolean } = {}): string[] {
  const sites = head.sites.filter(({ pages }) => pages.size > 0);
  const known = sites.filter(({ framework }) => framework !== plain);
  const read = sites.reduce((sum, { pages }) => sum + pages.size, 0);
  const unread = [...head.tree.paths].filter(
    (path) =>
      otherPageExtensions.some((each) => each === extensionOf(path)) && !sites.some(({ pages }) => pages.has(path)),
  );
  const tooLarge = [...head.tree.paths].filter((path) => isMarkdown(path) && head.tree.read(path) === undefined);
  const isUnknown = known.length === 0 && read + unread.length > 0;
  return [
    ...(isUnknown
      ? ['Not checked: this site’s framework is not known, so navigation, addresses and redirects are left alone.']
      : []),
    ...(unread.length > 0 && (isUnknown || unread.length >= read * leastShare)
      ? [`Not checked: ${count(unread.length)} in ${listExtensions(unread)}, which belong to no known site.`]
      : []),
    ...(tooLarge.length > 0 ? [`Not checked: ${count(tooLarge.length)} beyond the size that is read.`] : []),
    ...head.found.flatMap(({ site }) => {
      const before = findBefore(all ? head.found : base.found, site);
      return before === undefined ? [] : listDistrusted(before).map((each) => describe(each, site, known, all));
    }),
  ];
}

function describe({ kind, broken, total }: Distrust, { root }: Site, sites: readonly Site[], all: boolean): string {
  const where = sites.length > 1 && root !== '' ? ` of ${root}` : '';
  const share = `${broken.toLocaleString('en')} of ${total.toLocaleString('en')} ${kind === 'alt-text' ? 'have none' : 'are broken already'}`;
  return all
    ? `${nouns[kind]}${where}: ${share}. Perhaps this site has rules that are not known, so a change is not judged by them.`
    : `${nouns[kind]}${where} are not judged: ${share}.`;
}

const count = (pages: number) => `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}`;

const listExtensions = (paths: readonly string[]) =>
  [...new Set(paths.map((path) => `.${extensionOf(path)}`))].toSorted().join(' and ');
