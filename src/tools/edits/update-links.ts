import { findLine, findLineStarts } from '../../docs/line-of.ts';
import { applyEdits, type TargetEdit } from '../../docs/moves/apply-edits.ts';
import type { Move } from '../../docs/moves/move.ts';
import { movedPath, type PathMove } from '../../docs/moves/moved-path.ts';
import { isMarkdown } from '../../docs/page-extensions.ts';
import { folderOf } from '../../docs/tree.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import { compileGlob } from '../../workspace/policy/glob.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { excerptLine } from '../output/excerpt.ts';
import { plural } from '../output/limits.ts';
import { showLinesAt } from '../output/lines.ts';

/** Up to so many places are shown with their new lines. */
const fewPlaces = 12;
const maxRows = 15;
const maxLines = 6;
const maxPaths = 6;
const maxLineCharacters = 240;

interface Updated {
  file: string;
  before: string;
  /** After the edits. */
  text: string;
  edits: readonly TargetEdit[];
  /** Without the redirect. */
  own: readonly TargetEdit[];
}

/** What `updateLinks` did, and how often a line names the old place as told in its rows. */
interface UpdatedLinks {
  rows: string[];
  countKnown: (file: string, line: number) => number;
}

interface Left {
  file: string;
  lines: number[];
  reason: string;
  /** The first line, where an edit is needed. */
  shown?: string | undefined;
}

/** Writes the edits after a move, each file alone, and lists what stays and why. Does not name files of secrets. */
export async function updateLinks({
  workspace,
  move,
  path,
  exclude,
  signal,
}: {
  workspace: Workspace;
  move: Move;
  path: PathMove;
  exclude: string | undefined;
  signal: AbortSignal;
}): Promise<UpdatedLinks> {
  const isExcluded = compileExclude(exclude);
  const updated: Updated[] = [];
  const left: Left[] = [];
  const redirects = Map.groupBy(move.redirect?.edits ?? [], ({ file }) => file);
  let added = 0;
  for (const { file: before, edits: own } of withFiles(move.edits, redirects.keys())) {
    signal.throwIfAborted();
    const file = movedPath(path, before);
    const missing = redirects.get(before) ?? [];
    const edits = [...own, ...missing];
    const result = isExcluded(file)
      ? { kind: 'refused' as const, reason: 'excluded' }
      : await rewrite(workspace, file, edits);
    if (result.kind === 'written') {
      added += missing.length;
      updated.push({ file, before: result.before, text: result.text, edits, own });
    } else if (result.kind === 'refused')
      left.push({ file, lines: edits.map(({ line }) => line), reason: result.reason });
  }
  const byFile = new Map(updated.map((each) => [each.file, each]));
  for (const [before, places] of Map.groupBy(move.left, (place) => place.file)) {
    const file = movedPath(path, before);
    const found = await workspace.readFile(file);
    if (found.kind !== 'text') continue;
    const lines = places.map(({ line }) => shiftLine(byFile.get(file), line));
    const { why } = places[0] ?? { why: 'spelling' };
    const isToEdit = why === 'deleted' || why === 'loop';
    const shown = isToEdit ? found.text.split(/\r?\n/)[(lines[0] ?? 1) - 1]?.trim() : undefined;
    left.push({ file, lines, reason: reasons[why], shown });
  }
  const redirected = new Map(updated.map((each) => [each.file, findRedirectLines(each)]));
  return {
    rows: [
      ...describeUpdated(updated.filter(({ own }) => own.length > 0)),
      ...describeLeft(left),
      ...describeTranslations(move.translations),
      ...describeRedirect(move, added, path),
    ],
    countKnown: (file, line) =>
      redirected.get(file)?.has(line)
        ? Number.POSITIVE_INFINITY
        : left.filter((each) => each.file === file).flatMap(({ lines }) => lines.filter((one) => one === line)).length,
  };
}

const reasons: Record<Move['left'][number]['why'], string> = {
  generated: 'a translation service writes it',
  spelling: 'no link written there can lead to the new place',
  deleted: 'edit it: it must not lead to the deleted page',
  loop: 'remove it: it would lead to itself',
};

/** Adds the files of redirects that have no other edit. */
const withFiles = (edits: Move['edits'], files: Iterable<string>): Move['edits'] => [
  ...edits,
  ...[...files].flatMap((file) => (edits.some((each) => each.file === file) ? [] : [{ file, edits: [] }])),
];

/** `hidden`: the file is not shown to the model. */
async function rewrite(
  workspace: Workspace,
  path: string,
  edits: readonly TargetEdit[],
): Promise<
  { kind: 'written'; before: string; text: string } | { kind: 'refused'; reason: string } | { kind: 'hidden' }
> {
  try {
    const file = await workspace.readFile(path);
    if (file.kind !== 'text') return { kind: 'hidden' };
    const access = workspace.describeAccess(path);
    if (access.kind === 'protected') return { kind: 'refused', reason: 'protected' };
    const text = applyEdits(file.text, edits);
    const result = await workspace.writeFile(path, text);
    return result.kind === 'written' ? { ...result, before: file.text, text } : result;
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    return { kind: 'refused', reason: 'it takes too long to check' };
  }
}

/** Fails closed: an invalid glob leaves every file. */
function compileExclude(exclude: string | undefined): (path: string) => boolean {
  if (exclude === undefined) return () => false;
  const globs = [exclude, `${exclude}/**`].map((glob) => compileGlob(exclude.includes('/') ? glob : `**/${glob}`));
  return (path) => globs.some((matches) => matches === null || matches(path) !== false);
}

function describeUpdated(updated: readonly Updated[]): string[] {
  if (updated.length === 0) return ['no link or entry had to change'];
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

/** The edits with their places in the text that has them. */
function placeEdits(edits: readonly TargetEdit[]): { edit: TargetEdit; start: number; end: number }[] {
  let shift = 0;
  return edits
    .toSorted((a, b) => a.start - b.start)
    .map((edit) => {
      const start = edit.start + shift;
      shift += edit.replacement.length - (edit.end - edit.start);
      return { edit, start, end: start + edit.replacement.length };
    });
}

/** A redirect names the old place on purpose. */
function findRedirectLines({ text, edits, own }: Updated): Set<number> {
  const starts = findLineStarts(text);
  return new Set(
    placeEdits(edits).flatMap(({ edit, start, end }) => {
      if (own.includes(edit)) return [];
      const [first, last] = [findLine(starts, start), findLine(starts, end)];
      return Array.from({ length: last - first + 1 }, (_, index) => first + index + 1);
    }),
  );
}

/** Where a line is after the edits above it. */
function shiftLine(updated: Updated | undefined, line: number): number {
  if (updated === undefined) return line;
  const { before, edits } = updated;
  const breaks = (text: string) => text.split('\n').length - 1;
  return edits
    .filter((edit) => edit.line < line)
    .reduce((sum, { start, end, replacement }) => sum + breaks(replacement) - breaks(before.slice(start, end)), line);
}

function describeLeft(left: readonly Left[]): string[] {
  if (left.length === 0) return [];
  const rows = left.map(({ file, lines, reason, shown }) => {
    const numbers = lines.slice(0, maxLines).join(',');
    const more = lines.length > maxLines ? ` and ${lines.length - maxLines} more` : '';
    return `${file}:${numbers}${more} (${reason})${shown === undefined ? '' : `: ${excerptLine(shown, 0, maxLineCharacters)}`}`;
  });
  return ['not updated:', ...bound(rows)];
}

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

const bound = (rows: readonly string[], max = maxRows): string[] =>
  rows.length > max ? [...rows.slice(0, max), `... and ${rows.length - max} more`] : [...rows];

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
  return [`${moved}: added ${added === 1 ? 'a redirect' : `${added} redirects, the first`} in ${redirect.where}`];
}
