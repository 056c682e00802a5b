import { formatCount, type ToolLimits } from '../output/limits.ts';
import { showPlaces } from '../output/show-places.ts';
import { describeTooLong, type Edited } from './edited.ts';
import { findSection, lastWritten } from './find-section.ts';
import { isAllCrlf, toCrlf } from './replace-occurrences.ts';

interface SectionEdit {
  path: string;
  text: string;
  /** As `findSections` takes it. */
  heading: string;
  newText: string;
  limits: ToolLimits;
}

/** Replaces a section, from its heading to the next one that is not deeper. With an empty text, its blank lines go, too. */
export function replaceSection({ path, text, heading, newText, limits }: SectionEdit): Edited {
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
  const whole = isDeleted || newText.endsWith('\n') ? newText : `${newText}\n`;
  const added = isDeleted ? '' : isAllCrlf(text) ? toCrlf(whole) : whole;
  const result = before + added + behind;
  if (result.length > limits.maxFileCharacters) return { kind: 'refused', reason: describeTooLong(path, limits) };
  const where = `lines ${formatCount(section.line)}-${formatCount(written)}`;
  const shown = showPlaces(result, [{ start: before.length, length: added.length }]);
  return { kind: 'edited', text: result, where, shown };
}
