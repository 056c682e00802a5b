import { decodeAddress } from '../decode-address.ts';
import type { Documentation, Reading } from '../documentation.ts';
import { isScript } from '../frameworks/scripts.ts';
import { createAnchorTest } from '../sites/anchors.ts';
import { findPart } from '../sites/find-part.ts';
import type { Site, SiteEntry } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { applyEdits, type TargetEdit } from './apply-edits.ts';
import { createLanguageLookup, listGenerated, listTranslations } from './find-language.ts';
import { findMoveRedirect, type MoveRedirect } from './find-move-redirect.ts';
import { listAddresses, listWanted } from './find-references.ts';
import { createSiteLookup, listReferences, siteLike } from './list-references.ts';
import { movedPath, type PathMove } from './moved-path.ts';
import { readAfterMove } from './read-after-move.ts';
import type { Reference, ReferenceKind } from './reference.ts';
import { isRelocated, relocateEntry } from './relocate-entry.ts';
import { removeEntry } from './remove-entry.ts';
import { spellEntry } from './spell-entry.ts';
import { spellLink, spellPart } from './spell-link.ts';

const maxTitleCharacters = 160;

export interface Move {
  /** By path before the move, the moved file included. In order. */
  edits: { file: string; edits: TargetEdit[] }[];
  /** References that stay, and why: no spelling leads to the new place, a translation service writes the file, or it must go with a deleted page. */
  left: { file: string; line: number; why: 'spelling' | 'generated' | 'deleted' }[];
  /** Addresses of moved pages that change. */
  addresses: { before: string; after: string }[];
  /** Of one moved page: its title and its main heading, as they are written. */
  titles: string[];
  /** For readers with an old address; undefined: none is needed. */
  redirect: MoveRedirect | undefined;
  /** The same page in other languages, which stays. */
  translations: string[];
  /** Folders that a translation service writes. */
  generated: string[];
}

/** A question: the edits that keep all references right when a file or folder moves, or when a page is deleted in favour of another. */
export function movePage({ base, head }: Documentation, move: PathMove): Move {
  const moved = [...head.tree.paths].filter((path) => movedPath(move, path) !== path);
  let after = readAfterMove(head, move);
  let siteAfter = createSiteLookup(after);
  const languageOf = createLanguageLookup(head);
  const left: Move['left'] = [];
  let edits: (TargetEdit & { file: string; kind: ReferenceKind })[] = [];
  const leave = ({ file, line }: { file: string; line: number }, why: Move['left'][number]['why'] = 'spelling') =>
    left.push({ file, line, why });

  function rewrite(reference: Reference, wanted: string): void {
    const { file, line, start, end, kind } = reference;
    const place = movedPath(move, file);
    if (move.isDeleted && kind === 'navigation') {
      const edit = removeEntry(head.tree.read(file) ?? '', reference);
      if (edit === undefined) leave(reference, 'deleted');
      else edits.push({ ...edit, file, line, kind });
      return;
    }
    if (move.isDeleted && (kind === 'import' || kind === 'include')) {
      leave(reference, 'deleted');
      return;
    }
    const site = siteAfter(place) ?? siteLike(reference.site, after);
    if (kind === 'navigation' && isRelocated({ ...reference, place, wanted })) {
      edits.push(...relocateEntry(head.tree, reference, wanted).map((edit) => ({ ...edit, kind: 'mention' as const })));
      return;
    }
    const text = head.tree.read(file)?.slice(start, end) ?? '';
    const wish = { place, wanted, from: reference.path, before: head, after, site };
    const spelled = site === undefined ? undefined : spell({ ...reference, text }, { ...wish, site });
    if (spelled === text) return;
    const replacement = spelled !== undefined && isBareKey(head.tree.read(file), reference) ? toKey(spelled) : spelled;
    if (replacement === undefined) leave(reference);
    else if (languageOf(file)?.isGenerated) leave(reference, 'generated');
    else edits.push({ file, line, start, end, replacement: keepAnchor(replacement, wanted), kind });
  }

  /** A page that stays need not have the anchors of the deleted one. */
  function keepAnchor(target: string, path: string): string {
    const [before = target, anchor] = target.split('#', 2);
    if (!move.isDeleted || anchor === undefined) return target;
    const site = siteAfter(path);
    return site && createAnchorTest(after.tree, site).has(path, decodeAddress(anchor)) ? target : before;
  }

  const names = [...new Set(moved.flatMap((path) => listWanted(head, path).names))];
  const wanted = { has: (path: string) => movedPath(move, path) !== path, names };
  const references = Map.groupBy(listReferences(head, wanted), ({ path }) => head.tree.paths.has(path));
  const [ofFolders, ofFiles] = [references.get(false) ?? [], references.get(true) ?? []];
  for (const reference of ofFolders) rewrite(reference, movedPath(move, reference.path));
  if (edits.length > 0) {
    // Entries may be relative to a folder that another one names.
    after = readWritten(head, after, move, edits);
    siteAfter = createSiteLookup(after);
  }
  for (const reference of ofFiles)
    if (!move.isDeleted || reference.file !== move.from) rewrite(reference, movedPath(move, reference.path));
  for (const reference of move.isDeleted ? [] : moved.flatMap((path) => listOwn(head, path)))
    if (!wanted.has(reference.path)) rewrite(reference, reference.path);
  const written = readWritten(head, after, move, edits);
  for (const file of findLostEntries(head, written, move, edits)) {
    const isLost = (edit: { file: string; kind: ReferenceKind }) => edit.file === file && edit.kind === 'navigation';
    edits.filter(isLost).forEach((edit) => {
      leave(edit, move.isDeleted ? 'deleted' : 'spelling');
    });
    edits = edits.filter((edit) => !isLost(edit));
  }
  // A page of mdBook has an address when an entry leads to it.
  const placed = moved.some((path) => listAddresses(after, movedPath(move, path)).length > 0) ? after : written;
  const pages = moved.flatMap((path) => {
    const to = movedPath(move, path);
    const [[before], [now]] = [listAddresses(head, path), listAddresses(placed, to)];
    return before === undefined || now === undefined ? [] : [{ from: path, to, before, now }];
  });
  return {
    edits: [...Map.groupBy(edits, ({ file }) => file)]
      .map(([file, inside]) => ({
        file,
        edits: inside
          .map(({ line, start, end, replacement }) => ({ line, start, end, replacement }))
          .toSorted((a, b) => a.start - b.start),
      }))
      .toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    left,
    addresses: pages.flatMap(({ before, now }) => (before === now ? [] : [{ before, after: now }])),
    titles: listTitles(head, move.from),
    redirect: findMoveRedirect({ base, head, after: placed }, move, pages),
    translations: moved.flatMap((path) => listTranslations(head, path)).filter((path) => !wanted.has(path)),
    generated: listGenerated(head),
  };
}

/** The name of a property of JavaScript without quotes. */
const isBareKey = (text: string | undefined, { file, kind, start }: Reference) =>
  kind === 'navigation' && isScript(file) && !/["'`]/.test(text?.[start - 1] ?? '');

const toKey = (name: string) => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : `'${name}'`);

type Edits = readonly (TargetEdit & { file: string; kind: ReferenceKind })[];

const listNavigation = (edits: Edits) =>
  Map.groupBy(
    edits.filter(({ kind }) => kind === 'navigation'),
    ({ file }) => file,
  );

/** The reading after the move, with its rewritten entries in the navigation. */
function readWritten(head: Reading, after: Reading, move: PathMove, edits: Edits): Reading {
  const files = [...listNavigation(edits)];
  const texts = files.map(
    ([file, inside]) => [movedPath(move, file), applyEdits(head.tree.read(file) ?? '', inside)] as const,
  );
  return texts.length === 0 ? after : readAfterMove(head, move, new Map(texts));
}

/** Navigation files whose rewritten entries do not all lead to the new place, or that lost more than the entries of a deleted page. */
function findLostEntries(head: Reading, written: Reading, move: PathMove, edits: Edits): string[] {
  const count = ({ sites }: Reading, file: string, path: string) =>
    sites.flatMap(({ navigation }) => navigation).filter((entry) => entry.file === file && leadsBelow(entry, path))
      .length;
  const countAll = ({ sites }: Reading, file: string) =>
    sites.flatMap(({ navigation }) => navigation).filter((entry) => entry.file === file).length;
  return [...listNavigation(edits)].flatMap(([file, inside]) => {
    const isLost = move.isDeleted
      ? countAll(written, file) !== countAll(head, file) - inside.length || count(written, file, move.from) > 0
      : count(written, movedPath(move, file), move.to) < count(head, file, move.from);
    return isLost ? [file] : [];
  });
}

const leadsBelow = ({ page, means }: SiteEntry, path: string) =>
  (page === undefined ? means : [page]).some((each) => each === path || each.startsWith(`${path}/`));

const leadsTo = ({ page, means }: SiteEntry, path: string) =>
  page === path || (page === undefined && (means.includes(path) || means.includes(`${path}/`)));

interface Wish {
  place: string;
  /** Where it has to lead, after the move and before it. */
  wanted: string;
  from: string;
  before: Reading;
  after: Reading;
  site: Site;
}

/** Returns `text`, the current spelling, if it still leads to the wanted file, else a new one; undefined if none does. */
function spell(reference: Reference & { text: string }, wish: Wish): string | undefined {
  const { place, wanted, after, site } = wish;
  const { text, written, kind, form } = reference;
  const { tree } = after;
  switch (kind) {
    case 'link':
    case 'image': {
      const leads = (target: string) => {
        const found = resolveLink({ tree, site, from: place, target, ...(form && { form }) });
        return (found.kind === 'page' || found.kind === 'file') && found.path === wanted;
      };
      return leads(written) ? text : spellLink(reference, wish).find(leads);
    }
    case 'import':
    case 'include': {
      const leads = (target: string) => findPart(tree, site, place, target) === wanted;
      return leads(written) ? text : spellPart(reference, wish).find(leads);
    }
    case 'navigation': {
      const entries = after.sites.flatMap(({ navigation }) => navigation);
      const isSame = ({ file, target }: SiteEntry) => file === place && target === written;
      return entries.some((entry) => isSame(entry) && leadsTo(entry, wanted)) ? text : spellEntry(reference, wish);
    }
    case 'redirect':
    case 'mention':
      return spellEntry(reference, wish);
    case 'redirect from':
      return text;
  }
}

function listTitles(head: Reading, path: string): string[] {
  const page = createSiteLookup(head)(path)?.pages.get(path);
  const { title } = page?.frontMatter.data ?? {};
  const [heading] = page?.headings ?? [];
  return [
    ...(typeof title === 'string' ? [`title: ${title}`] : []),
    ...(heading?.depth === 1 ? [`# ${heading.text}`] : []),
  ].map((line) => line.slice(0, maxTitleCharacters).toWellFormed());
}

/** The references in the moved file. */
function listOwn(head: Reading, from: string): Reference[] {
  const site = createSiteLookup(head)(from);
  const page = site?.pages.get(from);
  if (site === undefined || page === undefined) return [];
  const links = page.links.flatMap(({ target, start, end, kind, form }): Reference[] => {
    const found = resolveLink({ tree: head.tree, site, from, target, form });
    if ((found.kind !== 'page' && found.kind !== 'file') || target.startsWith('#')) return [];
    const anchor = found.kind === 'page' ? found.anchor : '';
    return [
      { file: from, line: page.lineOf(start), start, end, written: target, kind, form, path: found.path, anchor, site },
    ];
  });
  const parts = page.parts.flatMap(({ target, start, end, kind }): Reference[] => {
    const path = findPart(head.tree, site, from, target);
    return path === undefined
      ? []
      : [{ file: from, line: page.lineOf(start), start, end, written: target, kind, path, anchor: '', site }];
  });
  return [...links, ...parts];
}
