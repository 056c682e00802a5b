import { type ToolResult, toolError, toolOk } from '../../agent/tool.ts';
import { findLine, findLineStarts } from '../../docs/line-of.ts';
import { applyEdits, placeEdits, type TargetEdit } from '../../docs/moves/apply-edits.ts';
import type { Move } from '../../docs/moves/move.ts';
import { movedPath, type PathMove } from '../../docs/moves/moved-path.ts';
import { compileGlob } from '../../glob.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { describeUnread } from '../output/describe-missing.ts';
import { describeProtection, describeUpdates, type Left, type Updated } from '../output/describe-updates.ts';
import { joinRows } from '../output/limits.ts';
import { type CountKnown, describeNames, type Names } from '../output/list-names.ts';
import type { ToolParts } from '../tool-parts.ts';

/**
 * The answer of a tool that moved or deleted something: updates what leads to it, and tells what names it. An error where a part of that is
 * left, which comes first.
 */
export async function answerMove(
  { workspace, limits }: ToolParts,
  moved: {
    done: string;
    /** Undefined: the documentation could not be read. */
    move: Move | undefined;
    path: PathMove;
    exclude?: string | undefined;
    notes?: readonly string[];
    names?: Names | undefined;
  },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { done, move, path, exclude, notes = [], names } = moved;
  if (move === undefined) return toolError(`${done}, but no link was updated: ${describeUnread('search')}`);
  const { rows, notUpdated, countKnown } = await updateLinks({ workspace, move, path, exclude, signal });
  const named = names === undefined ? [] : await describeNames(workspace, names, { countKnown, signal });
  const all = [...notes, ...rows, ...named];
  if (notUpdated.length === 0) return toolOk(joinRows([done, ...all], limits.maxCharacters));
  return toolError(joinRows([`${done}, but not updated:`, ...notUpdated, ...all], limits.maxCharacters));
}

/** Writes the edits after a move, each file alone, and lists what stays and why. Does not name files of secrets. */
async function updateLinks(options: {
  workspace: Workspace;
  move: Move;
  path: PathMove;
  exclude: string | undefined;
  signal: AbortSignal;
}): Promise<{ rows: string[]; notUpdated: string[]; countKnown: CountKnown }> {
  const { workspace, move, path, exclude, signal } = options;
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
    const result = isExcluded(file) ? { kind: 'excluded' as const } : await rewrite(workspace, file, edits);
    if (result.kind === 'written') {
      added += missing.length;
      updated.push({ file, before: result.before, text: result.text, edits, own });
    } else if (result.kind !== 'hidden') {
      const lines = edits.map(({ line }) => line);
      const isOnPurpose = result.kind === 'excluded';
      left.push({ file, lines, reason: isOnPurpose ? 'excluded' : result.reason, isOnPurpose });
    }
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
    left.push({ file, lines, reason: reasons[why], shown, isOnPurpose: why === 'generated' });
  }
  const redirected = new Map(updated.map((each) => [each.file, findRedirectLines(each)]));
  return {
    ...describeUpdates(move, path, { updated, left, added }),
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
    if (file.kind === 'too_large') return { kind: 'refused', reason: 'too large to edit' };
    if (file.kind !== 'text') return { kind: 'hidden' };
    const protection = describeProtection(workspace.describeAccess(path), path);
    if (protection !== undefined) return { kind: 'refused', reason: protection };
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
