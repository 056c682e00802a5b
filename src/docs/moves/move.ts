import { decodeAddress } from '../decode-address.ts';
import type { BaseAndHead } from '../documentation.ts';
import { listGenerated, listTranslations } from '../questions/find-language.ts';
import { listAddresses } from '../questions/find-references.ts';
import { createSiteLookup } from '../questions/list-references.ts';
import type { Reference, ReferenceKind } from '../questions/reference.ts';
import type { Reading } from '../reading.ts';
import { applyEdits, type TargetEdit } from './apply-edits.ts';
import { findMoveRedirect, type MoveRedirect } from './find-move-redirect.ts';
import { movedPath, type PathMove } from './moved-path.ts';
import { readAfterMove } from './read-after-move.ts';
import { listInLanguages } from './spelling.ts';

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

export type ReferenceEdit = TargetEdit & { file: string; kind: ReferenceKind };

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
  const texts = Array.from(
    groupEntries(edits),
    ([file, inside]) => [movedPath(move, file), applyEdits(head.tree.read(file) ?? '', inside)] as const,
  );
  return texts.length === 0 ? after : readAfterMove(head, move, new Map(texts));
}

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
    fallbacks: pages
      .flatMap(({ from, before, now }) => (before === now ? [] : listFallbacks(head, from, before)))
      .slice(0, maxFallbacks),
    redirect: findMoveRedirect({ base, head, after }, move, pages),
    translations: moved.flatMap((path) => listTranslations(head, path)).filter((path) => !moved.includes(path)),
    generated: listGenerated(head),
  };
}
