import type { ThreadTask } from '../../threads/threads.ts';
import { cutLine, formatCount, type ToolLimits } from '../output/limits.ts';
import { describeTooLong, type Edited } from './edited.ts';
import { findAll } from './find-all.ts';
import { findNearestLines } from './find-nearest.ts';
import { replaceOccurrences } from './replace-occurrences.ts';
import { replaceSection } from './replace-section.ts';

interface Replacement {
  oldText: string;
  newText: string;
  all: boolean;
}

/** Of a text, or of the section of a heading. */
export type Edit = Replacement | { heading: string; newText: string };

interface Edits {
  path: string;
  text: string;
  /** In order: each one sees the text that those before it left. */
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
  const places: string[] = [];
  const shown: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const edited =
      'heading' in edit
        ? replaceSection({ path, text: now, ...edit, limits })
        : editOnce({ path, text: now, ...edit, limits });
    if (edited.kind === 'refused') {
      const which = `edit ${index + 1} of ${edits.length}, so nothing was changed: `;
      return refused((edits.length > 1 ? which : '') + edited.reason);
    }
    now = edited.text;
    places.push(edited.where);
    if (edited.shown !== undefined) shown.push(edited.shown);
  }
  return { kind: 'edited', text: now, where: places.join('; '), ...(shown.length > 0 && { shown: shown.join('\n') }) };
}

interface TextEdit extends Replacement {
  path: string;
  text: string;
  limits: ToolLimits;
}

function editOnce({ path, text, oldText, newText, all, limits }: TextEdit): Edited {
  const result = replaceOccurrences({ text, oldText, newText, all, maxCharacters: limits.maxFileCharacters });
  switch (result.kind) {
    case 'not_found':
      return refused(describeNotFound({ path, text, oldText, newText, all, limits }));
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

function describeNotFound({ path, text, oldText, newText, limits }: TextEdit): string {
  // Many files contain a short text by chance.
  if (newText.length >= 20 && findAll(text, newText).length > 0) {
    return `old_text is not in ${path}, but new_text is: the edit may already be done`;
  }
  const nearest = findNearestLines(text, oldText);
  if (nearest === undefined) {
    return `old_text is not in ${path}, and neither is similar text; read the file again`;
  }
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
