import { decodeAddress } from '../decode-address.ts';
import { plain } from '../frameworks/plain.ts';
import { isMarkdown, isWrittenPage } from '../page-extensions.ts';
import { type Page, readPage } from '../pages/read-page.ts';
import { type FileTree, nameOf } from '../tree.ts';
import { findPart } from './find-part.ts';
import type { Site } from './open-sites.ts';

const maxDepth = 4;
/** Anchors that every page has, text fragments (https://wicg.github.io/scroll-to-text-fragment/), and routes of scripts such as `#/1`. */
const always = /^(?:top|_top|:~:.*|fn(?:ref)?:.*|!?\/.*|)$/;

/** Whether a page has an anchor, in its own text, in its includes, or in the titles of its components. */
export function createAnchorTest(tree: FileTree, site: Site) {
  const known = new Map<string, ReadonlySet<string>>();
  const parts = new Set<string>();
  const fold = createAnchorFold(site);

  const byName = Map.groupBy(site.pages.keys(), nameOf);
  /** Wherever the content folder lies. */
  const findIncluded = (target: string): string[] => {
    const end = `/${target.replace(/^\/+/, '')}`;
    return (byName.get(nameOf(end)) ?? []).filter((path) => `/${path}`.endsWith(end));
  };
  /** Also a file outside of the site, such as a guide for contributors. */
  const readShown = (path = ''): Page | undefined => {
    const text = isMarkdown(path) ? tree.read(path) : undefined;
    return site.pages.get(path) ?? (text === undefined ? undefined : readPage(text, { isMdx: path.endsWith('.mdx') }));
  };
  /** Also one that only a build makes. */
  const hasUnknownPart = (path: string): boolean => {
    const { included = [], parts: shown = [] } = site.pages.get(path) ?? {};
    return (
      included.some((target) => findIncluded(target).length === 0) ||
      shown.some(({ target }) => isWrittenPage(target) && readShown(findPart(tree, site, path, target)) === undefined)
    );
  };

  function listAnchors(path: string, depth = 0): ReadonlySet<string> {
    const cached = known.get(path);
    if (cached) return cached;
    const anchors = new Set<string>();
    known.set(path, anchors);
    const page = readShown(path);
    if (!page) return anchors;
    for (const id of [...listOwn(page, site), ...listTitles(page, site)]) anchors.add(fold(id));
    if (depth < maxDepth) {
      for (const part of listParts({ tree, site, path, page, findIncluded })) {
        parts.add(part);
        for (const anchor of listAnchors(part, depth + 1)) anchors.add(anchor);
      }
    }
    return anchors;
  }

  /** Outside of a README, another program than GitHub may show the pages of an unknown site: one that keeps marks in its slugs. */
  const isOfOtherSlugs = (path: string, wanted: string): boolean =>
    site.framework === plain &&
    !/^readme\b/i.test(nameOf(path)) &&
    /[^\p{L}\p{N}\p{M}_-]/u.test(wanted) &&
    listAnchors(path)
      .values()
      .some((anchor) => foldLoosely(anchor) === foldLoosely(wanted));

  return {
    /** Files whose anchors are those of other pages, too, as far as pages were asked about. */
    parts,
    has(path: string, anchor: string): boolean {
      const wanted = decodeAddress(anchor);
      const isKnown =
        always.test(wanted) ||
        !site.pages.has(path) ||
        (site.areLabelsShared === true ? site.byLabel.has(wanted) : site.byLabel.get(wanted) === path) ||
        hasUnknownPart(path) ||
        // No slug has a dot: it is a name that a plugin of the site knows.
        (site.hasOpenReferences === true && /\w\.\w/.test(wanted)) ||
        listAnchors(path).has(fold(wanted));
      const page = site.pages.get(path);
      return (
        isKnown ||
        (page !== undefined && site.makesAnchors?.(page) === true) ||
        hasImage(site, path, fold(wanted)) ||
        isOfOtherSlugs(path, wanted) ||
        listShown(tree, site, path).some((text) => fold(site.slug(text)) === fold(wanted))
      );
    },
    /** As they are compared. */
    list: (path: string): ReadonlySet<string> => listAnchors(path),
  };
}

/** Where slugs are not published, they may have words for the images of a heading. */
const hasImage = ({ pages, areSlugsLoose, slug }: Site, path: string, wanted: string): boolean =>
  areSlugsLoose &&
  (pages.get(path)?.headings ?? []).some(
    ({ written, bareText, text }) => /<img\b/.test(written) && wanted.startsWith(foldLoosely(slug(bareText ?? text))),
  );

/** Anchors that are equal after it lead to the same place. */
export const createAnchorFold = ({ areSlugsLoose, framework }: Site): ((anchor: string) => string) =>
  areSlugsLoose ? foldLoosely : framework === plain ? foldCase : normalize;

const normalize = (anchor: string) => anchor.normalize('NFC');
/** As the pages of GitHub do; browsers compare the case. */
const foldCase = (anchor: string) => normalize(anchor).toLowerCase();
const foldLoosely = (anchor: string) =>
  decodeAddress(anchor)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^id(?=\d)/, '');

/** One anchor of each heading, in order: the second one with a slug gets `-1`. */
export function nameHeadings({ headings }: Page, { slug, slugsMarks, numberSlugs }: Site): string[] {
  if (numberSlugs) return numberSlugs(headings.map(({ text, id }) => id ?? slug(text)));
  const counts = new Map<string, number>();
  return headings.map(({ text, written, id }) => {
    const made = slug(slugsMarks ? written : text);
    const count = counts.get(made) ?? 0;
    counts.set(made, count + 1);
    return id ?? (count === 0 ? made : `${made}-${count}`);
  });
}

function listOwn({ headings, ids }: Page, site: Site): string[] {
  const { slug, areSlugsLoose, numberSlugs, slugsMarks, framework } = site;
  if (numberSlugs && !areSlugsLoose) return [...numberSlugs(headings.map(({ text, id }) => id ?? slug(text))), ...ids];
  const areSlugsKept = areSlugsLoose || framework === plain;
  const counts = new Map<string, number>();
  const slugs = headings.flatMap(({ text, written, bareText, id }) => {
    const isReplaced = id !== undefined && !areSlugsKept;
    const made = isReplaced ? id : slug(slugsMarks ? written : text);
    const count = counts.get(made) ?? 0;
    counts.set(made, count + 1);
    if (isReplaced) return id;
    const others = areSlugsLoose
      ? [text.replaceAll('&', ' and '), bareText ?? text].map(slug)
      : slugsMarks
        ? [slug(text)]
        : [];
    const numbered = count === 0 ? [] : [`${made}-${count}`, `${made}_${count}`];
    return [...(id === undefined ? [] : [id]), ...others, made, ...numbered];
  });
  return [...slugs, ...ids];
}

const listTitles = ({ titles }: Page, { slug }: Site): string[] =>
  titles.flatMap((title) => [title, slug(title), `${slug(title)}-1`, `param-${slug(title)}`]);

/** The files that a page imports and includes, and the partials of components that are registered for all pages. */
function listParts(options: {
  tree: FileTree;
  site: Site;
  path: string;
  page: Page;
  findIncluded(target: string): string[];
}): string[] {
  const { tree, site, path, page, findIncluded } = options;
  const registered = page.tags.flatMap(({ name }) => site.registeredParts.get(name) ?? []);
  const named = page.parts.flatMap((part) => findPart(tree, site, path, part.target) ?? []);
  const included = page.included.flatMap(findIncluded);
  return [...new Set([...named, ...included, ...registered])];
}

/** Texts of the code that a page imports and of its data: components make headings of them. */
function listShown(tree: FileTree, site: Site, path: string): string[] {
  const imported = site.pages.get(path)?.parts.flatMap(({ target }) => findPart(tree, site, path, target) ?? []) ?? [];
  const data = imported.flatMap((file) =>
    Array.from((tree.read(file) ?? '').matchAll(importedData), ([, target = '']) =>
      isCode.test(file) ? (findPart(tree, site, file, target) ?? []) : [],
    ).flat(),
  );
  return [...imported, ...data].flatMap((file) => {
    const text = isCode.test(file) || file.endsWith('.json') ? (tree.read(file) ?? '') : '';
    return Array.from(text.matchAll(quoted), ([whole]) => whole.slice(1, -1));
  });
}

const isCode = /\.[cm]?[jt]sx?$/;
const importedData = /\bfrom\s+['"]([^'"\n]{1,200}\.json)['"]/g;
const quoted = /"[^"\n\\]{1,80}"|'[^'\n\\]{1,80}'/g;
