import { isWrittenPage } from '../../docs/page-extensions.ts';
import { formatCount, type ToolLimits } from '../output/limits.ts';
import { showPlaces } from '../output/show-places.ts';
import { describeTooLong, type Edited } from './edited.ts';
import { findSection, lastWritten } from './find-section.ts';
import { isAllCrlf, toCrlf } from './replace-occurrences.ts';

interface Insertion {
  path: string;
  text: string;
  inserted: string;
  /** A line (0: before the first) or its text, a heading (behind its section), or `end`. */
  after: string;
  limits: ToolLimits;
}

/** Inserts whole lines. Behind a section or at the end of a page, one blank line separates them from the text before and after. */
export function insertIntoText({ path, text, inserted, after, limits }: Insertion): Edited {
  const lineEnd = isAllCrlf(text) ? '\r\n' : '\n';
  const lines = text.split(/(?<=\n)/);
  const place = findPlace({ path, text, total: lines.length, after });
  if (place.kind === 'refused') return place;
  const before = lines.slice(0, place.line).join('');
  const behind = lines.slice(place.line).join('');
  const own = place.isBlock ? inserted.replace(/^(?:\r?\n)+/, '') : inserted;
  const added = lineEnd === '\r\n' ? toCrlf(own) : own;
  const head = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const top = place.isBlock && before.trim() !== '' && !/\n\r?\n$/.test(before + head) ? lineEnd : '';
  const end = added.endsWith('\n') ? '' : lineEnd;
  const bottom = place.isBlock && behind !== '' && !/^\r?\n/.test(behind) && !/\n\r?\n$/.test(added) ? lineEnd : '';
  const result = [before, head, top, added, end, bottom, behind].join('');
  if (result.length > limits.maxFileCharacters) return { kind: 'refused', reason: describeTooLong(path, limits) };
  const start = before.length + head.length + top.length;
  return {
    kind: 'edited',
    text: result,
    where: `line ${formatCount(result.slice(0, start).split('\n').length)}`,
    shown: showPlaces(result, [{ start, length: added.length }]),
  };
}

type Place = { kind: 'place'; line: number; isBlock: boolean } | { kind: 'refused'; reason: string };

function findPlace({ path, text, total, after }: { path: string; text: string; total: number; after: string }): Place {
  if (/^\d+$/.test(after.trim())) {
    const line = Number(after);
    return line <= total
      ? { kind: 'place', line, isBlock: false }
      : { kind: 'refused', reason: `${path} has only ${formatCount(total)} lines; use after: "end"` };
  }
  const isPage = isWrittenPage(path);
  if (after.trim().toLowerCase() === 'end') return { kind: 'place', line: total, isBlock: isPage };
  const found = isPage ? findSection(path, text, after, 'a line') : undefined;
  if (found?.kind === 'section') return { kind: 'place', line: lastWritten(text, found.section), isBlock: true };
  const same = text.split('\n').flatMap((line, index) => (line.trim() === after.trim() ? [index + 1] : []));
  const [line] = same;
  if (line !== undefined && same.length === 1) return { kind: 'place', line, isBlock: false };
  const why = same.length === 0 ? 'has no such line' : `has it in the lines ${same.slice(0, 20).join(', ')}`;
  return found ?? { kind: 'refused', reason: `${path} ${why}; give a line's number as after` };
}
