import { placeEdits, type TargetEdit } from '../../docs/moves/apply-edits.ts';
import type { Move } from '../../docs/moves/move.ts';
import type { PathMove } from '../../docs/moves/moved-path.ts';
import { isMarkdown } from '../../docs/page-extensions.ts';
import { folderOf } from '../../docs/tree.ts';
import type { Access } from '../../policy/policy.ts';
import { excerptLine, firstRows, plural } from './limits.ts';
import { showLinesAt } from './show-places.ts';

/** Up to so many places are shown with their new lines. */
const fewPlaces = 12;
const maxRows = 15;
const maxLines = 6;
const maxPaths = 6;
const maxLineCharacters = 240;

/** A file that was written. */
export interface Updated {
  file: string;
  before: string;
  /** The text after the edits. */
  text: string;
  edits: readonly TargetEdit[];
  /** Leaves out the redirect. */
  own: readonly TargetEdit[];
}

/** Lines that stay as they are. */
export interface Left {
  file: string;
  lines: number[];
  reason: string;
  /** The first line, where an edit is needed. */
  shown?: string | undefined;
  /** The caller excluded the file, or a translation service writes it: the rest of the work is whole without it. */
  isOnPurpose: boolean;
}

/** What followed from a move, for the model. `added`: redirects. */
export function describeUpdates(
  move: Move,
  path: PathMove,
  { updated, left, added }: { updated: readonly Updated[]; left: readonly Left[]; added: number },
): { rows: string[]; notUpdated: string[] } {
  const onPurpose = left.filter(({ isOnPurpose }) => isOnPurpose);
  return {
    rows: [
      ...describeUpdated(
        updated.filter(({ own }) => own.length > 0),
        left.length > 0,
      ),
      ...(onPurpose.length > 0 ? ['not updated:', ...describeLeft(onPurpose)] : []),
      ...describeTranslations(move.translations),
      ...describeRedirect(move, added, path),
    ],
    notUpdated: describeLeft(left.filter((each) => !onPurpose.includes(each))),
  };
}

function describeUpdated(updated: readonly Updated[], isLeft: boolean): string[] {
  if (updated.length === 0) return isLeft ? [] : ['no link or entry of another file had to change'];
  const places = updated.reduce((sum, { own }) => sum + own.length, 0);
  // Navigation and settings first: pages follow their links without being looked at.
  const sorted = [
    ...updated.filter(({ file }) => !isMarkdown(file)),
    ...updated.filter(({ file }) => isMarkdown(file)),
  ];
  const rows =
    places <= fewPlaces ? sorted.flatMap(showUpdated) : sorted.map(({ file, own }) => `${file}: ${own.length}`);
  return [`updated ${plural(places, 'place')} in ${plural(updated.length, 'file')}:`, ...bound(rows)];
}

function showUpdated({ file, text, edits, own }: Updated): string[] {
  const removed = own.filter(({ replacement }) => replacement === '');
  const positions = placeEdits(edits).flatMap(({ edit, start }) =>
    own.includes(edit) && !removed.includes(edit) ? [start] : [],
  );
  return [
    ...removed.map(({ line }) => `${file}:${line}: its entry was removed`),
    ...showLinesAt(text, positions).map(({ line, shown }) => `${file}:${line}: ${shown}`),
  ];
}

const describeLeft = (left: readonly Left[]): string[] =>
  bound(
    left.map(({ file, lines, reason, shown }) => {
      const numbers = lines.slice(0, maxLines).join(',');
      const more = lines.length > maxLines ? ` and ${lines.length - maxLines} more` : '';
      return `${file}:${numbers}${more} (${reason})${shown === undefined ? '' : `: ${excerptLine(shown, 0, maxLineCharacters)}`}`;
    }),
  );

function describeTranslations(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const folders = [...new Set(paths.map(folderOf))];
  const shown = paths.length > maxPaths ? (foldNames(paths) ?? foldNames(folders)) : undefined;
  const rest = folders.length < paths.length ? ` (${plural(paths.length, 'file')})` : '';
  return [
    `Stays where it is in other languages: ${shown === undefined ? bound(paths, maxPaths).join(', ') : shown + rest}`,
  ];
}

/** Paths that differ in one name: `docs/{de,fr}/use.md`. */
function foldNames(paths: readonly string[]): string | undefined {
  const all = paths.map((path) => path.split('/'));
  const [first = []] = all;
  const differing = first.flatMap((name, index) => (all.every((names) => names[index] === name) ? [] : [index]));
  const [at, ...others] = differing;
  if (at === undefined || others.length > 0 || all.some(({ length }) => length !== first.length)) return undefined;
  return first.with(at, `{${all.map((names) => names[at]).join(',')}}`).join('/');
}

const bound = (rows: readonly string[], max = maxRows) => firstRows(rows, max, (rest) => `${rest} more`);

/** Joins the addresses of all pages of a folder into one line: `/guides/* is now /start/*`. */
function foldAddresses(addresses: Move['addresses']): string[] {
  const describe = ({ before, after }: Move['addresses'][number]) => `${before} is now ${after}`;
  const describeAll = ({ before, after }: Move['addresses'][number]) => {
    const [a, b] = [before.split('/').toReversed(), after.split('/').toReversed()];
    const shared = a.findIndex((name, index) => name !== b[index]);
    const cut = (names: readonly string[]) => [...names.slice(shared).toReversed(), '*'].join('/');
    return describe(shared > 0 ? { before: cut(a), after: cut(b) } : { before, after });
  };
  return [...Map.groupBy(addresses, describeAll)].flatMap(([all, same]) =>
    same.length > 1 ? all : same.map(describe),
  );
}

function describeRedirect({ addresses, redirect }: Move, added: number, { isDeleted = false }: PathMove): string[] {
  const [first, ...others] = addresses;
  if (first === undefined || (isDeleted && redirect === undefined)) return [];
  const pairs = bound(foldAddresses(addresses), maxPaths).join(', ');
  const moved = isDeleted
    ? `Its address ${first.before}`
    : `${others.length > 0 ? 'Addresses:' : 'Its address'} ${pairs}`;
  if (redirect === undefined) return [moved];
  if (redirect.code !== undefined)
    return [`${moved}: code in ${redirect.code} makes redirects, and is not run; look there whether one is needed`];
  if (redirect.where === undefined) return [`${moved}: this repository keeps no redirects`];
  if (added === 0) {
    const old = others.length > 0 ? 'the old addresses' : 'the old address';
    return [`${moved}. No redirect was added; to keep ${old} working, add one in ${redirect.where}`];
  }
  // The redirect has both addresses.
  if (added === 1) return [`added a redirect in ${redirect.where}`];
  return [`${moved}: added ${added} redirects, the first in ${redirect.where}`];
}

/** Completes "docs/x.md is". Undefined: an edit may change the file. */
export function describeProtection(access: Access, path: string): string | undefined {
  if (access.kind !== 'protected') return undefined;
  // The reason of the settings is a sentence about the path.
  const reason = access.reason.startsWith(`${path} is `) ? `it ${access.reason.slice(path.length + 1)}` : access.reason;
  return `protected because ${reason}`;
}
