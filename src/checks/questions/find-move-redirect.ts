import type { Documentation, Reading } from '../documentation.ts';
import { isAnswered } from '../problems/find-lost-addresses.ts';
import { writeRedirect } from '../sites/write-redirect.ts';
import { applyEdits, type TargetEdit } from './apply-edits.ts';
import { createSiteLookup, siteLike } from './list-references.ts';
import { readAfterMove } from './read-after-move.ts';

/** What keeps the old address of a moved page alive. */
export interface MoveRedirect {
  /** The file, with the redirect as it is written there; undefined: no file of the site holds redirects. */
  where: string | undefined;
  /** The file with code that makes redirects: whether one is needed is not known. */
  code: string | undefined;
  /** Writes it. Undefined where no other redirect shows how. */
  edit: (TargetEdit & { file: string }) | undefined;
}

/** Undefined if nothing is needed: readers know only addresses of the base, and one that something answers needs no redirect. */
export function findMoveRedirect(
  { base, head, after }: Pick<Documentation, 'base' | 'head'> & { after: Reading },
  { from, to }: { from: string; to: string },
  { before, now }: { before: string; now: string },
): MoveRedirect | undefined {
  const isKnown = base.sites.some(({ byAddress }) => byAddress.has(before.toLowerCase()));
  const site = createSiteLookup(after)(to);
  if (site === undefined || !isKnown || before === now || isAnswered(site, before, from)) return undefined;
  const { redirectCode: code } = site;
  if (code !== undefined) return { where: undefined, code, edit: undefined };
  const redirect = writeRedirect(after.tree, site, {
    from: { path: from, address: before },
    to: { path: to, address: now },
  });
  if (redirect?.insertion === undefined) return { where: redirect?.where, code, edit: undefined };
  const { file, line, where, insertion } = redirect;
  const edit = { file, line, start: insertion.at, end: insertion.at, replacement: insertion.text };
  // What the file holds is read again: its other redirects stay as they are.
  const texts = new Map([[file, applyEdits(head.tree.read(file) ?? '', [edit])]]);
  const written = siteLike(site, readAfterMove(head, { from, to }, texts));
  const isRight = written?.redirects.length === site.redirects.length + 1 && isAnswered(written, before, from);
  return { where, code, edit: isRight ? edit : undefined };
}
