import { decodeAddress } from '../decode-address.ts';
import type { BaseAndHead } from '../documentation.ts';
import { createPageCache, readAnyPage } from '../pages/page-reader.ts';
import { isAnswered } from '../problems/find-lost-addresses.ts';
import { listAddresses, listGenerated, listTranslations } from '../questions/find-references.ts';
import { createSiteLookup, type Reference, type ReferenceKind } from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import { findFormat, findSameSite, openSites } from '../sites/open-sites.ts';
import { writeRedirect } from '../sites/write-redirect.ts';
import { createTree } from '../tree.ts';
import { applyEdits, type TargetEdit } from './apply-edits.ts';
import { movedPath, type PathMove } from './moved-path.ts';
import { listInLanguages } from './spell-link.ts';

/** What follows from the move of a file or folder, or from a page that is deleted in favour of another. */
export interface Move {
  /** By path before the move, the moved file included. In order. */
  edits: { file: string; edits: TargetEdit[] }[];
  left: LeftReference[];
  /** Addresses of moved pages that change. */
  addresses: { before: string; after: string }[];
  /** Former addresses of other languages, which show the page where they have none of their own. At most 12. */
  fallbacks: string[];
  /** Of one moved page: its title and its main heading, as they are written. */
  titles: string[];
  /** For readers with an old address; undefined: none is needed. */
  redirect: MoveRedirect | undefined;
  /** The same page in other languages, which stays. */
  translations: string[];
  /** Folders that a translation service writes. */
  generated: string[];
}

/**
 * A reference that stays: no spelling leads to the new place, a translation service writes the file, it must go with a deleted page, or a
 * redirect would lead to itself.
 */
export interface LeftReference {
  file: string;
  line: number;
  why: 'spelling' | 'generated' | 'deleted' | 'loop';
}

export type ReferenceEdit = FileEdit & { kind: ReferenceKind };

export const groupEntries = (edits: readonly ReferenceEdit[]): Map<string, ReferenceEdit[]> =>
  Map.groupBy(
    edits.filter(({ kind }) => kind === 'navigation'),
    ({ file }) => file,
  );

const maxFallbacks = 12;

function listFallbacks(head: Reading, path: string, address: string): string[] {
  const site = createSiteLookup(head)(path);
  if (site?.alternatives === undefined) return [];
  return listInLanguages(site, address).filter(
    (each) => !site.byAddress.has(each.toLowerCase()) && site.alternatives?.(each, path).includes(address),
  );
}

/** Whether a redirect comes from an address that its page has from now on. */
export function isLoop(
  { head, after }: { head: Reading; after: Reading },
  { kind, file, start }: Reference,
  page: string,
): boolean {
  if (kind !== 'redirect') return false;
  const fold = (address: string) =>
    decodeAddress(address)
      .replace(/(?<=.)\/$/, '')
      .toLowerCase();
  const sources = head.sites
    .flatMap(({ redirects }) => redirects)
    .flatMap((redirect) => (redirect.file === file && redirect.start === start ? [fold(redirect.from)] : []));
  return listAddresses(after, page).some((address) => sources.includes(fold(address)));
}

/** The reading after the move, with its rewritten entries in the navigation. */
export function readWritten(head: Reading, after: Reading, move: PathMove, edits: readonly ReferenceEdit[]): Reading {
  const entries = edits.filter(({ kind }) => kind === 'navigation');
  return entries.length === 0 ? after : readEdited(head, move, entries);
}

function readEdited(head: Reading, move: PathMove, edits: readonly FileEdit[]): Reading {
  const texts = Array.from(
    Map.groupBy(edits, ({ file }) => file),
    ([file, inside]) => [movedPath(move, file), applyEdits(head.tree.read(file) ?? '', inside)] as const,
  );
  return readAfterMove(head, move, new Map(texts));
}

type FileEdit = TargetEdit & { file: string };

/** By file, in order of the files and of their places. */
export const groupEdits = (edits: readonly FileEdit[]): Move['edits'] =>
  [...Map.groupBy(edits, ({ file }) => file)]
    .map(([file, inside]) => ({
      file,
      edits: inside
        .map(({ line, start, end, replacement }) => ({ line, start, end, replacement }))
        .toSorted((a, b) => a.start - b.start),
    }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));

/** `after`: where the moved pages have their addresses. */
export function describeMove(
  { base, head }: BaseAndHead,
  move: PathMove,
  options: {
    after: Reading;
    /** With the edits, which may make addresses. */
    written: Reading;
    moved: readonly string[];
    edits: readonly ReferenceEdit[];
    left: LeftReference[];
  },
) {
  const { after, written, moved, edits, left } = options;
  const pages = moved.flatMap((path) => {
    const to = movedPath(move, path);
    const [before] = listAddresses(head, path);
    const [now] = [...listAddresses(written, to), ...listAddresses(after, to)];
    return before === undefined || now === undefined ? [] : [{ from: path, to, before, now }];
  });
  return {
    edits: groupEdits(edits),
    left,
    addresses: pages.flatMap(({ before, now }) => (before === now ? [] : [{ before, after: now }])),
    fallbacks: pages
      .flatMap(({ from, before, now }) => (before === now ? [] : listFallbacks(head, from, before)))
      .slice(0, maxFallbacks),
    redirect: findMoveRedirect({ base, head, after }, move, pages),
    translations: moved.flatMap((path) => listTranslations(head, path)).filter((path) => !moved.includes(path)),
    generated: listGenerated(head),
  };
}

interface MoveRedirect {
  /** The file, with the first redirect as it is written there; undefined: no file of the site holds redirects. */
  where: string | undefined;
  /** The file with code that makes redirects: whether one is needed is not known. */
  code: string | undefined;
  /** They add all needed redirects. Empty without an existing redirect to copy. */
  edits: FileEdit[];
}

/** Undefined if none is needed: readers know only addresses of the base, and an address that still answers needs no redirect. */
function findMoveRedirect(
  { base, head, after }: BaseAndHead & { after: Reading },
  move: PathMove,
  pages: readonly { from: string; to: string; before: string; now: string }[],
): MoveRedirect | undefined {
  const siteOf = createSiteLookup(after);
  const needed = pages.flatMap((page) => {
    const { from, to, before, now } = page;
    const isKnown = base.sites.some(({ byAddress }) => byAddress.has(before.toLowerCase()));
    const site = siteOf(to);
    return site === undefined || !isKnown || before === now || isAnswered(site, before, from)
      ? []
      : [{ ...page, site }];
  });
  if (needed.length === 0) return undefined;
  const code = needed.map(({ site }) => site.redirectCode).find((file) => file !== undefined);
  if (code !== undefined) return { where: undefined, code, edits: [] };
  const redirects = needed.flatMap(({ from, to, before, now, site }) => {
    const pair = { from: { path: from, address: before }, to: { path: to, address: now } };
    const redirect = writeRedirect(after.tree, site, pair);
    // In the moved page itself: edits name files by their path before the move.
    const isOwn = redirect?.file === to && !move.isDeleted;
    return redirect === undefined ? [] : { ...redirect, file: isOwn ? from : redirect.file };
  });
  const where = redirects[0]?.where;
  const edits = redirects.flatMap(({ file, line, insertion }) =>
    insertion === undefined
      ? []
      : [{ file, line, start: insertion.at, end: insertion.at, replacement: insertion.text }],
  );
  if (edits.length < needed.length) return { where, code, edits: [] };
  // Reads the edited files again: their other redirects must stay the same.
  const written = readEdited(head, move, edits);
  const isRight =
    countRedirects(written) === countRedirects(after) + redirects.filter(({ isAlias }) => !isAlias).length &&
    needed.every(({ site, before, from }) => {
      const own = findSameSite(written.sites, site);
      return own !== undefined && isAnswered(own, before, from);
    });
  return { where, code, edits: isRight ? edits : [] };
}

const countRedirects = ({ sites }: Reading) => sites.reduce((sum, { redirects }) => sum + redirects.length, 0);

/** The reading with a file or folder at another place, and with other texts by their new paths, which may be new files. Pages with a known text are not parsed again. */
export function readAfterMove(
  { tree, sites }: Reading,
  move: PathMove,
  texts: ReadonlyMap<string, string> = new Map(),
): Reading {
  const paths = move.isDeleted ? [...tree.paths].filter((path) => path !== move.from) : [...tree.paths];
  const origins = new Map(paths.map((path) => [movedPath(move, path), path]));
  const known = createPageCache();
  for (const site of sites) {
    for (const [path, page] of site.pages) known(findFormat(site, path) ?? 'markdown').set(tree.read(path) ?? '', page);
  }
  const moved = createTree({
    paths: new Set([...origins.keys(), ...texts.keys()]),
    read: (path) => texts.get(path) ?? tree.read(origins.get(path) ?? path),
  });
  const opened = openSites(moved, (text, format) => known(format).get(text) ?? readAnyPage(text, format));
  return { tree: moved, sites: opened, found: [] };
}
