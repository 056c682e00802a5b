import type { BaseAndHead } from '../documentation.ts';
import { isAnswered } from '../problems/find-lost-addresses.ts';
import { createSiteLookup } from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import { findSameSite } from '../sites/open-sites.ts';
import { writeRedirect } from '../sites/write-redirect.ts';
import { applyEdits, type TargetEdit } from './apply-edits.ts';
import { movedPath, type PathMove } from './moved-path.ts';
import { readAfterMove } from './read-after-move.ts';

export interface MoveRedirect {
  /** The file, with the first redirect as it is written there; undefined: no file of the site holds redirects. */
  where: string | undefined;
  /** The file with code that makes redirects: whether one is needed is not known. */
  code: string | undefined;
  /** They add all needed redirects. Empty without an existing redirect to copy. */
  edits: (TargetEdit & { file: string })[];
}

/** Undefined if none is needed: readers know only addresses of the base, and an address that still answers needs no redirect. */
export function findMoveRedirect(
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
  const texts = [...Map.groupBy(edits, ({ file }) => file)].map(
    ([file, inside]) => [movedPath(move, file), applyEdits(head.tree.read(file) ?? '', inside)] as const,
  );
  const written = readAfterMove(head, move, new Map(texts));
  const isRight =
    countRedirects(written) === countRedirects(after) + redirects.filter(({ isAlias }) => !isAlias).length &&
    needed.every(({ site, before, from }) => {
      const own = findSameSite(written.sites, site);
      return own !== undefined && isAnswered(own, before, from);
    });
  return { where, code, edits: isRight ? edits : [] };
}

const countRedirects = ({ sites }: Reading) => sites.reduce((sum, { redirects }) => sum + redirects.length, 0);
