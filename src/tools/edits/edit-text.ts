import { isWrittenPage } from '../../docs/page-extensions.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { cutLine, formatCount, type ToolLimits } from '../output/limits.ts';
import { showPlaces } from '../output/show-places.ts';
import { findAll, findNearestLines } from './find-nearest.ts';
import { findSection, lastWritten } from './find-section.ts';
import { replaceOccurrences, withLineEndsOf } from './replace-occurrences.ts';

interface Replacement {
  oldText: string;
  newText: string;
  all: boolean;
}

/** `heading`: as `findSections` takes it. An empty text deletes the section. */
interface SectionEdit {
  heading: string;
  newText: string;
}

/** `after`: a line (0: before the first) or its text, a heading (behind its section), or `end`. */
interface Insertion {
  after: string;
  newText: string;
}

export type Edit = Replacement | SectionEdit | Insertion;

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
  if ('after' in edit) return insertLines({ edit, ...rest });
  return 'heading' in edit ? replaceSection({ edit, ...rest }) : replaceOldText({ edit, ...rest });
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

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

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

/** From its heading to the next one that is not deeper. With an empty text, its blank lines go, too. */
function replaceSection({ path, text, edit: { heading, newText }, limits }: OneEdit<SectionEdit>): Edited {
  const found = findSection(path, text, heading, 'old_text');
  if (found.kind === 'refused') return found;
  const { section } = found;
  const isDeleted = newText.trim() === '';
  const written = lastWritten(text, section);
  const lines = text.split(/(?<=\n)/);
  const kept = lines.slice(0, section.line - 1).join('');
  const behind = lines.slice(isDeleted ? section.last : written).join('');
  // No blank lines are left at the end of the file.
  const before = isDeleted && behind === '' ? kept.replace(/(?<![\r\n])(\r?\n)(?:\r?\n)+$/, '$1') : kept;
  const whole = newText.endsWith('\n') ? newText : `${newText}\n`;
  const added = isDeleted ? '' : withLineEndsOf(text, whole);
  const where = `lines ${formatCount(section.line)}-${formatCount(written)}`;
  return splice({ path, limits }, { before, added, behind, where });
}

/** Inserts whole lines. Behind a section or at the end of a page, one blank line separates them from the text before and after. */
function insertLines({ path, text, edit: { after, newText }, limits }: OneEdit<Insertion>): Edited {
  const lineEnd = withLineEndsOf(text, '\n');
  const lines = text.split(/(?<=\n)/);
  const place = findPlace({ path, text, total: lines.length, after });
  if (place.kind === 'refused') return place;
  const before = lines.slice(0, place.line).join('');
  const behind = lines.slice(place.line).join('');
  const added = withLineEndsOf(text, place.isBlock ? newText.replace(/^(?:\r?\n)+/, '') : newText);
  const head = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const top = place.isBlock && before.trim() !== '' && !/\n\r?\n$/.test(before + head) ? lineEnd : '';
  const end = added.endsWith('\n') ? '' : lineEnd;
  const bottom = place.isBlock && behind !== '' && !/^\r?\n/.test(behind) && !/\n\r?\n$/.test(added) ? lineEnd : '';
  const start = before + head + top;
  const where = `line ${formatCount(start.split('\n').length)}`;
  return splice({ path, limits }, { before: start, added, behind: end + bottom + behind, where });
}

function splice(
  { path, limits }: { path: string; limits: ToolLimits },
  { before, added, behind, where }: { before: string; added: string; behind: string; where: string },
): Edited {
  const text = before + added + behind;
  if (text.length > limits.maxFileCharacters) return refused(describeTooLong(path, limits));
  return { kind: 'edited', text, where, shown: showPlaces(text, [{ start: before.length, length: added.length }]) };
}

type Place = { kind: 'place'; line: number; isBlock: boolean } | { kind: 'refused'; reason: string };

function findPlace({ path, text, total, after }: { path: string; text: string; total: number; after: string }): Place {
  if (/^\d+$/.test(after.trim())) {
    const line = Number(after);
    if (line <= total) return { kind: 'place', line, isBlock: false };
    return refused(`${path} has only ${formatCount(total)} lines; use after: "end"`);
  }
  const isPage = isWrittenPage(path);
  if (after.trim().toLowerCase() === 'end') return { kind: 'place', line: total, isBlock: isPage };
  const found = isPage ? findSection(path, text, after, 'a line') : undefined;
  if (found?.kind === 'section') return { kind: 'place', line: lastWritten(text, found.section), isBlock: true };
  const same = text.split('\n').flatMap((line, index) => (line.trim() === after.trim() ? [index + 1] : []));
  const [line] = same;
  if (line !== undefined && same.length === 1) return { kind: 'place', line, isBlock: false };
  const why = same.length === 0 ? 'has no such line' : `has it in the lines ${same.slice(0, 20).join(', ')}`;
  return found ?? refused(`${path} ${why}; give a line's number as after`);
}

/** `where` names the changed lines, `shown` the text around them if the model did not copy it; `reason` tells it what is wrong and what to do. */
type Edited = { kind: 'edited'; text: string; where: string; shown?: string } | { kind: 'refused'; reason: string };

const describeTooLong = (path: string, { maxFileCharacters }: ToolLimits): string =>
  `${path} would be longer than ${formatCount(maxFileCharacters)} characters; shorten new_text or split the file`;
