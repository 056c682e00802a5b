import type { ThreadTask } from '../../threads/threads.ts';
import { cutLine, formatCount, type ToolLimits } from '../output/limits.ts';
import { describeTooLong, type Edited } from './edited.ts';
import { findAll } from './find-all.ts';
import { findNearestLines } from './find-nearest.ts';
import { insertIntoText } from './insert-into-text.ts';
import { replaceOccurrences } from './replace-occurrences.ts';
import { replaceSection } from './replace-section.ts';

interface Replacement {
  oldText: string;
  newText: string;
  all: boolean;
}

/** Of a text, of the section of a heading, or new lines: see `insertIntoText`. */
export type Edit = Replacement | { heading: string; newText: string } | { after: string; newText: string };

interface Edits {
  path: string;
  text: string;
  /** In order: each one sees the text that those before it left. Line numbers are those of the text before all of them. */
  edits: readonly Edit[];
  limits: ToolLimits;
}

const maxLineNumbers = 10;
const maxSmallCharacters = 16_384;

export const editTask: ThreadTask<Edits, Edited> = {
  module: import.meta.url,
  work: editText,
  isSmall: ({ text, edits }) =>
    edits.reduce((sum, edit) => sum + text.length + 1 + Object.values(edit).join('').length, 0) <= maxSmallCharacters,
};

/** All edits or none. Linear in the lengths of the texts, for each edit. */
export function editText({ path, text, edits, limits }: Edits): Edited {
  let now = text;
  const done: { where: string; shown?: string }[] = [];
  for (const [index, edit] of sortEdits(edits)) {
    const edited = editOnce({ path, text: now, edit, limits });
    if (edited.kind === 'refused') {
      const which = `edit ${index + 1} of ${edits.length}, so nothing was changed: `;
      return refused((edits.length > 1 ? which : '') + edited.reason);
    }
    now = edited.text;
    done[index] = edited;
  }
  const shown = done.flatMap((each) => each.shown ?? []);
  const where = done.map((each) => each.where).join('; ');
  return { kind: 'edited', text: now, where, ...(shown.length > 0 && { shown: shown.join('\n') }) };
}

/** Insertions by line number come first, the last line before the others, so that no edit moves their place. */
function sortEdits(edits: readonly Edit[]): (readonly [index: number, edit: Edit])[] {
  const lineOf = (edit: Edit) => ('after' in edit && /^\s*\d+\s*$/.test(edit.after) ? Number(edit.after) : -1);
  return [...edits.entries()].toSorted(([first, a], [second, b]) => {
    const [line, other] = [lineOf(a), lineOf(b)];
    return other - line || (line === -1 ? first - second : second - first);
  });
}

interface OneEdit<Kind extends Edit> {
  path: string;
  text: string;
  edit: Kind;
  limits: ToolLimits;
}

function editOnce({ edit, ...rest }: OneEdit<Edit>): Edited {
  if ('after' in edit) return insertIntoText({ ...rest, after: edit.after, inserted: edit.newText });
  return 'heading' in edit ? replaceSection({ ...rest, ...edit }) : replaceOldText({ edit, ...rest });
}

function replaceOldText({ path, text, edit, limits }: OneEdit<Replacement>): Edited {
  const { oldText, newText, all } = edit;
  const result = replaceOccurrences({ text, oldText, newText, all, maxCharacters: limits.maxFileCharacters });
  switch (result.kind) {
    case 'not_found':
      return refused(describeNotFound({ path, text, edit, limits }));
    case 'too_large':
      return refused(describeTooLong(path, limits));
    case 'ambiguous':
      return refused(
        `old_text occurs in ${path} ${formatCount(result.lines.length)} times, at ${describeLines(result.lines)}; add surrounding lines to make it unique, or set replace_all`,
      );
    case 'replaced':
      return { kind: 'edited', text: result.text, where: describeLines(result.lines) };
  }
}

const refused = (reason: string): Edited => ({ kind: 'refused', reason });

function describeNotFound({ path, text, edit: { oldText, newText }, limits }: OneEdit<Replacement>): string {
  // Many files contain a short text by chance.
  if (newText.length >= 20 && findAll(text, newText).length > 0)
    return `old_text is not in ${path}, but new_text is: the edit may already be done`;
  const nearest = findNearestLines(text, oldText);
  if (nearest === undefined) return `old_text is not in ${path}, and neither is similar text; read the file again`;
  const { first, lines, difference } = nearest;
  const isOne = lines.length === 1;
  const why =
    difference === undefined ? '' : ` ${isOne ? 'It differs' : 'They differ'} from old_text only in ${difference}.`;
  const shown = lines.map((line) => cutLine(line, limits.maxLineCharacters)).join('\n');
  const place = isOne
    ? `line is ${formatCount(first)}`
    : `lines are ${formatCount(first)}-${formatCount(first + lines.length - 1)}`;
  return `old_text is not in ${path}. The nearest ${place}.${why} Copy ${isOne ? 'it' : 'them'} exactly:\n\n${shown.slice(0, limits.maxCharacters)}`;
}

/** `lines 1, 3, 4`. */
function describeLines(lines: readonly number[]): string {
  const shown = lines.slice(0, maxLineNumbers).map(formatCount).join(', ');
  return `line${lines.length > 1 ? 's' : ''} ${shown}${lines.length > maxLineNumbers ? ', ...' : ''}`;
}
