import { decodeAddress } from '../../decode-address.ts';
import { extensionOf } from '../../page-extensions.ts';
import { createLanguageLookup, listWanted } from '../../questions/find-references.ts';
import { createSiteLookup, listReferences, type Reference } from '../../questions/list-references.ts';
import type { Reading } from '../../reading.ts';
import { createAnchorFold, createAnchorTest, nameHeadings } from '../../sites/anchors.ts';
import { findSameSite, type Site } from '../../sites/open-sites.ts';
import { resolveLink } from '../../sites/resolve-link.ts';
import type { TargetEdit } from '../apply-edits.ts';
import { groupEdits, type LeftReference, type Move } from '../move.ts';
import { listOwn } from '../move-page.ts';
import { respell } from '../respell.ts';
import { spellLink } from '../spell-link.ts';
import type { SectionEdits } from './compose-pages.ts';

interface AnchorPlace {
  path: string;
  anchor: string;
}

interface Rewritten {
  inSection: TargetEdit[];
  inSource: TargetEdit[];
  inTarget: TargetEdit[];
  others: Move['edits'];
  left: LeftReference[];
  /** Anchors of the section, as they were. */
  anchors: string[];
}

interface SectionReadings {
  head: Reading;
  /** With the section at its new place. */
  after: Reading;
  edits: SectionEdits;
  /** How many headings the section has. */
  count: number;
}

/** Keeps what leads to the section, and what it leads to. */
export function rewriteReferences(readings: SectionReadings): Rewritten {
  const { head, after, edits } = readings;
  const { source, target, section, copied, staying } = edits;
  const [from, to] = [source.path, target.path];
  const siteAfter = createSiteLookup(after);
  const languageOf = createLanguageLookup(head);
  const { findPlace, anchors } = createPlaceLookup(readings);
  const found: Rewritten = { inSection: [], inSource: [], inTarget: [], others: [], left: [], anchors };
  const others: (TargetEdit & { file: string })[] = [];

  const wanted = {
    has: (path: string) => path === from || path === to,
    names: [...new Set([from, to].flatMap((path) => listWanted(head, path).names))],
  };
  const led = listReferences(head, wanted).flatMap((reference) => readAnchor(head, reference));
  const isIn = (place: { start: number }, at: { start: number; end: number }) =>
    at.start <= place.start && place.start < at.end;
  const own = listOwn(head, from).filter(
    (reference) => !led.some((each) => each.file === from && each.start === reference.start),
  );

  /** Where the text with the reference is after the move. */
  function listPlaces(reference: Reference): { path: string; edits: TargetEdit[] }[] {
    const { file } = reference;
    if (file !== from) return [{ path: file, edits: file === to ? found.inTarget : [] }];
    const definition = copied.find((each) => isIn(reference, each));
    const stays = staying.some((each) => isIn(reference, each));
    const isMoved = definition !== undefined || (isIn(reference, section) && !stays);
    const isLeft = definition?.isLeft === true || !isMoved;
    return [
      ...(isMoved ? [{ path: to, edits: found.inSection }] : []),
      ...(isLeft ? [{ path: from, edits: from === to ? found.inTarget : found.inSource }] : []),
    ];
  }

  function rewrite(reference: Reference): void {
    const { file, line, start, end, kind } = reference;
    const goal = findPlace(reference.path, reference.anchor);
    for (const place of listPlaces(reference)) {
      const text = spell(reference, place.path, goal);
      if (text === null) continue;
      if (text === undefined) found.left.push({ file, line, why: 'spelling' });
      else if (languageOf(file)?.isGenerated) found.left.push({ file, line, why: 'generated' });
      else if (file === from || file === to) place.edits.push({ line, start, end, replacement: text });
      else if (kind !== 'redirect from') others.push({ file, line, start, end, replacement: text });
    }
  }

  /** Null: it leads there as it is. */
  function spell(reference: Reference, place: string, goal: AnchorPlace): string | null | undefined {
    const { kind, form, written, path, anchor } = reference;
    const isLink = kind === 'link' || kind === 'image';
    const isSamePlace = place === reference.file && goal.path === path;
    if (form === 'label' || (isSamePlace && goal.anchor === anchor)) return null;
    const site = siteAfter(place) ?? findSameSite(after.sites, reference.site);
    if (site === undefined) return undefined;
    const leads = (one: string) => {
      const target = resolveLink({ tree: after.tree, site, from: place, target: one, ...(form && { form }) });
      return (target.kind === 'page' || target.kind === 'file') && target.path === goal.path;
    };
    const tail = goal.anchor === '' ? '' : `#${goal.anchor}`;
    if (isLink && goal.path === place && tail !== '' && form !== 'document' && leads(tail))
      return written === tail ? null : tail;
    if (isLink && goal.anchor === anchor && leads(written)) return null;
    const wish = { place, wanted: goal.path, from: path, before: head, after, site };
    if (isLink && written.startsWith('#')) {
      const like = `${sampleLink(site, head, place)}${tail}`;
      return spellLink({ ...reference, written: like }, wish).find(leads);
    }
    const spelled = respell(reference, wish);
    if (spelled === undefined) return undefined;
    if (anchor === '') return spelled.isSame ? null : spelled.text;
    const cut = spelled.text.indexOf('#');
    return (cut < 0 ? spelled.text : spelled.text.slice(0, cut)) + tail;
  }

  for (const reference of [...led, ...own]) rewrite(reference);
  found.others = groupEdits(others);
  return found;
}

/** References with an anchor. An entry of the navigation has it behind its place. */
function readAnchor({ tree }: Reading, reference: Reference): Reference[] {
  if (reference.kind !== 'navigation' || reference.anchor !== '') return reference.anchor === '' ? [] : [reference];
  const behind = /^#[^\s"'`)\]>,]{1,200}/.exec(
    (tree.read(reference.file) ?? '').slice(reference.end, reference.end + 201),
  )?.[0];
  return behind === undefined ? [] : [{ ...reference, end: reference.end + behind.length, anchor: behind.slice(1) }];
}

/** How links to pages of this site are written, best on the page itself. */
function sampleLink(site: Site, { tree }: Reading, place: string): string {
  const pages = [site.pages.get(place), ...site.pages.values()];
  for (const page of pages) {
    const link = page?.links.find(
      ({ target, kind, form }) => kind === 'link' && form === 'inline' && /^(?!\w+:)[^#?]*[\w/](?=#|$)/.test(target),
    );
    const target = link?.target.split('#', 1)[0] ?? '';
    if (target !== '' && resolveLink({ tree, site, from: place, target }).kind === 'page') return target;
  }
  return site.relativeLinks === 'addresses' && site.areAbsoluteLinksChecked ? '/page' : `page.${extensionOf(place)}`;
}

/** Tells where an anchor of both pages is after the move. */
function createPlaceLookup({ head, after, edits, count }: SectionReadings) {
  const { source, target, section, place } = edits;
  const [from, to] = [source.path, target.path];
  const [siteBefore, sitesAfter] = [createSiteLookup(head), createSiteLookup(after)];
  const [own, other] = [siteBefore(from), sitesAfter(to)];
  const known = new Map<string, AnchorPlace>();
  const namesIn = (site: Site | undefined, path: string) => {
    const page = site?.pages.get(path);
    return site === undefined || page === undefined ? [] : nameHeadings(page, site);
  };
  const fold = (site: Site | undefined, anchor: string) =>
    site === undefined ? anchor : createAnchorFold(site)(decodeAddress(anchor));
  const add = (path: string, site: Site | undefined, old: string, now: AnchorPlace) => {
    const key = `${path}#${fold(site, old)}`;
    if (!known.has(key)) known.set(key, now);
  };
  const oldNames = namesIn(own, from);
  const isInside = source.page.headings.map(({ start }) => section.start <= start && start < section.end);
  const inside = oldNames.filter((_, index) => isInside[index]);
  const outside = oldNames.filter((_, index) => !isInside[index]);
  const newNames = namesIn(other, to);
  const there = from === to ? outside : namesIn(siteBefore(to), to);
  const headingsThere =
    from === to ? source.page.headings.filter((_, index) => !isInside[index]) : target.page.headings;
  const before = headingsThere.filter(({ start }) => start < place.at).length;
  const moved = place.isTitle
    ? ['', ...newNames.slice(before, before + count - 1)]
    : newNames.slice(before, before + count);
  for (const [index, name] of inside.entries()) add(from, own, name, { path: to, anchor: moved[index] ?? name });
  const rest = [...newNames.slice(0, before), ...newNames.slice(before + moved.length - (place.isTitle ? 1 : 0))];
  for (const [index, name] of there.entries()) add(to, siteBefore(to), name, { path: to, anchor: rest[index] ?? name });
  if (from !== to) {
    const left = namesIn(sitesAfter(from), from);
    for (const [index, name] of outside.entries()) add(from, own, name, { path: from, anchor: left[index] ?? name });
  }
  const siteThere = sitesAfter(from);
  const tests = own &&
    other &&
    siteThere && {
      was: createAnchorTest(head.tree, own),
      is: createAnchorTest(after.tree, siteThere),
      there: createAnchorTest(after.tree, other),
    };
  return {
    anchors: inside,
    findPlace(path: string, anchor: string): AnchorPlace {
      const site = path === from ? own : siteBefore(to);
      const place = known.get(`${path}#${fold(site, anchor)}`);
      // As it is written, where that is the same anchor.
      if (place !== undefined) return fold(site, place.anchor) === fold(site, anchor) ? { ...place, anchor } : place;
      const isMoved =
        path === from &&
        anchor !== '' &&
        tests?.was.has(from, anchor) &&
        !tests.is.has(from, anchor) &&
        tests.there.has(to, anchor);
      return { path: isMoved ? to : path, anchor };
    },
  };
}
