import { findNearest } from '../../find-nearest-name.ts';
import type { Language } from '../frameworks/site-rules.ts';
import type { LinkFault } from '../pages/list-link-faults.ts';
import type { Link, LinkForm } from '../pages/list-links.ts';
import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import { createAnchorTest } from '../sites/anchors.ts';
import { mayLeadElsewhere, type SiteChanges } from '../sites/compare-sites.ts';
import type { Site } from '../sites/open-sites.ts';
import { type Resolution, resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, fromPage, isBelow, joinPath, relativeTo } from '../tree.ts';
import { findLostExcerpts, findLostParts } from './find-lost-parts.ts';
import type { LinkFindings, LinkKind, PageLinks } from './site-problems.ts';
import { suggestFor, suggestWeb } from './suggest-link.ts';

interface Links {
  problems: FoundProblem[];
  checked: Record<LinkKind, number>;
  targets: Record<LinkKind, number>;
  findings: LinkFindings;
}

/** What a state has that differs only by these changes. */
type Before = SiteChanges & { links: LinkFindings };

/** Links, images, anchors, imports and includes of a site that lead to nothing, and how many were checked. */
export function findLinkProblems(tree: FileTree, site: Site, before?: Before): Links {
  const anchors = createAnchorTest(tree, site);
  const isSame = createSameTest(before);
  const pages = new Map(
    Array.from(site.pages, ([path, page]) => {
      const known = before?.links.pages.get(path);
      const isKnown = known !== undefined && isSame(path, page, known);
      return [path, isKnown ? known : findInPage({ tree, site, path, page, anchors })] as const;
    }),
  );
  const all = [...pages.values()];
  const sum = (count: (kind: LinkKind) => number) => {
    const [link, image, anchor] = [count('link'), count('image'), count('anchor')];
    return { link, image, anchor, import: count('import') };
  };
  return {
    problems: all.flatMap(({ problems }) => problems),
    checked: sum((kind) => all.reduce((total, { checked }) => total + checked[kind], 0)),
    targets: sum((kind) => new Set(all.flatMap(({ targets }) => targets[kind])).size),
    findings: { pages, parts: new Set([...(before?.links.parts ?? []), ...anchors.parts]) },
  };
}

/** Whether a page's links lead to the same places as before, and these still have their anchors. */
function createSameTest(before: Before | undefined): (path: string, page: Page, known: PageLinks) => boolean {
  if (before === undefined || before.changed.some((path) => before.links.parts.has(path))) return () => false;
  const changed = new Set(before.changed);
  const { names } = before;
  const isSettled = (page: Page, { problems }: PageLinks) =>
    names === undefined || (problems.every(({ suggest }) => suggest === undefined) && !mayLeadElsewhere(page, names));
  return (path, page, known) =>
    !changed.has(path) && before.changed.every((each) => !known.anchored.has(each)) && isSettled(page, known);
}

function findInPage(options: {
  tree: FileTree;
  site: Site;
  path: string;
  page: Page;
  anchors: ReturnType<typeof createAnchorTest>;
}): PageLinks {
  const { tree, site, path, page, anchors } = options;
  const problems: FoundProblem[] = [];
  const checked = { link: 0, image: 0, anchor: 0, import: 0 };
  const targets: Record<LinkKind, string[]> = { link: [], image: [], anchor: [], import: [] };
  const anchored = new Set<string>();
  const report = (
    kind: FoundProblem['kind'],
    severity: FoundProblem['severity'],
    start: number,
    rest: Omit<FoundProblem, 'file' | 'line' | 'kind' | 'severity'>,
  ) => problems.push({ file: path, line: page.lineOf(start), kind, severity, ...rest });
  const isPart = site.isPart(path);
  const isTranslated = site.languages.length > 1 && !site.translatesLinks;
  for (const { target, start, kind, form, isRaw, isTextless, isOpen } of page.links) {
    if (form === 'attribute' && !site.areAttributesChecked) continue;
    const isLeft = isRaw || form === 'attribute' || kind === 'image';
    const found = resolveLink({ tree, site, from: path, target, form, isRaw: isLeft });
    if (found.kind === 'unchecked') continue;
    checked[kind] += 1;
    const where = nameTarget(found, path, target);
    if (!isPart) targets[kind].push(where);
    if (found.kind === 'broken') {
      const { address } = found;
      const isImage = kind === 'image';
      report(kind, 'must', start, {
        written: target,
        target: where,
        ...((found.isOpen || isOpen) && { doubt: { form } }),
        describe: () => `${kind} ${target} leads to no ${nameLost(kind, form)}`,
        suggest: () => {
          if (form === 'label') return findNearest(address, site.byLabel.keys());
          const web = suggestWeb(target);
          if (web !== undefined) return web;
          return suggestFor({ tree, site, from: path, target, anchors }, address, isImage);
        },
      });
    } else if (found.kind === 'page') {
      const to = { path: found.path, written: target };
      const own = isTranslated && kind === 'link' ? findOwnTranslation(site, path, to) : undefined;
      if (own !== undefined)
        report('language', 'should', start, {
          target: found.path,
          describe: () => `link ${target} leads to another language (${found.path}); this page's own is ${own}`,
        });
      if (isTextless && site.pages.get(found.path)?.untitledLabels?.has(found.anchor))
        report('link', 'should', start, {
          target: `${found.path}#${found.anchor} without text`,
          describe: () => `link ${target} shows no text: this label has no title. Write \`text <${target}>\``,
        });
      if (found.anchor === '') continue;
      checked.anchor += 1;
      anchored.add(found.path);
      const where = `${found.path}#${found.anchor}`;
      if (!isPart) targets.anchor.push(where);
      // A page that shows this part may have it.
      if (isOpen || anchors.has(found.path, found.anchor) || (isPart && found.path === path)) continue;
      // The site may send readers to the page in their language, with the anchor.
      const sibling = found.path.replace(/(?=\.mdx?$)/, languageMark.exec(path)?.[0] ?? '');
      anchored.add(sibling);
      if (sibling !== found.path && site.pages.has(sibling) && anchors.has(sibling, found.anchor)) continue;
      report('anchor', 'should', start, {
        written: target,
        target: where,
        describe: () => `link ${target}: ${found.path} has no heading or id for #${found.anchor}`,
        suggest: () => suggestAnchor(found.anchor, listSlugs(site, found.path) ?? anchors.list(found.path)),
      });
    }
  }
  const mayInclude =
    site.hasOpenReferences === true || page.included.length > 0 || page.parts.some((part) => part.kind === 'include');
  const excused = new Set<LinkFault['form']>([
    ...(mayInclude ? (['undefined'] as const) : []),
    // CommonMark alone demands that the address has no space.
    ...(site.framework.dialect?.markdown === undefined ? [] : (['spaced'] as const)),
    // In a list of pages, `[Later]()` is a chapter without a page yet.
    ...(site.navigationFiles.includes(path) ? (['empty'] as const) : []),
  ]);
  for (const { target, start, message, form } of page.linkFaults ?? []) {
    if (form !== undefined && excused.has(form)) continue;
    report('link', 'should', start, { target, describe: () => message });
  }
  const lost = findLostParts(tree, site, path, page);
  checked.import += lost.checked;
  if (!isPart) targets.import.push(...lost.targets);
  const excerpts = findLostExcerpts(tree, site, path, page);
  for (const file of excerpts.files) anchored.add(file);
  return { problems: [...problems, ...lost.problems, ...excerpts.problems], checked, targets, anchored };
}

/** `guide.de.md` beside `guide.md` */
const languageMark = /\.[a-z]{2}(?:-[a-z]{2,4})?(?=\.mdx?$)/i;

const nameLost = (kind: Link['kind'], form: LinkForm): string =>
  form === 'label' ? 'label' : kind === 'image' || form === 'path' ? 'file' : 'page';

/** The same for all links that lead to the same place. */
function nameTarget(found: Exclude<Resolution, { kind: 'unchecked' }>, from: string, written: string): string {
  if (found.kind === 'page' || found.kind === 'file') return found.path;
  const address = found.kind === 'broken' ? found.address : written;
  return fromPage(from, address);
}

/** Where slugs are compared loosely, as a link would write them. */
function listSlugs({ areSlugsLoose, pages, slug }: Site, path: string): string[] | undefined {
  const page = areSlugsLoose ? pages.get(path) : undefined;
  return page && [...page.headings.map(({ id, text }) => id ?? slug(text)), ...page.ids];
}

function suggestAnchor(anchor: string, known: Iterable<string>): string | undefined {
  const nearest = findNearest(anchor, known);
  return nearest === undefined ? undefined : `#${nearest}`;
}

/** Of a translated page: the page in its own language that stands for the one in another language that a link leads to. */
function findOwnTranslation(site: Site, from: string, to: { path: string; written: string }): string | undefined {
  const own = findLanguage(site, from);
  if (own?.folder === undefined || own.isDefault || isBelow(to.path, own.folder)) return undefined;
  const other = findLanguage(site, to.path);
  // Its writer knows which language it leads to.
  if (other !== undefined && to.written.toLowerCase().includes(`/${other.code.toLowerCase()}/`)) return undefined;
  const folders = other?.folder === undefined ? [...site.folders, site.root] : [other.folder];
  const counterparts = folders
    .filter((folder) => isBelow(to.path, folder))
    .map((folder) => joinPath(own.folder ?? '', relativeTo(to.path, folder)) ?? '');
  // A link to the same page in another language is meant so.
  return counterparts.includes(from) ? undefined : counterparts.find((path) => site.pages.has(path));
}

/** The innermost folder decides. */
const findLanguage = ({ languages }: Site, path: string): Language | undefined =>
  languages
    .filter(({ folder }) => folder !== undefined && isBelow(path, folder))
    .toSorted((a, b) => (b.folder ?? '').length - (a.folder ?? '').length)[0];
