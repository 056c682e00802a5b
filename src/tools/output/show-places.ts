import { findLine, findLineStarts } from '../../docs/line-of.ts';
import { excerptLine } from './excerpt.ts';
import { formatCount } from './limits.ts';
import { readLine } from './lines.ts';

/** A changed part of a text, in characters. */
export interface ShownPlace {
  start: number;
  length: number;
}

const around = 2;
/** The model wrote the lines, so only the first and the last of a longer place are shown. */
const shownEnds = 2;
const maxPlaces = 3;
const maxLineCharacters = 200;

/** The lines of the first changed places as they are now, and two around each, with line numbers. Linear in the length of the text. */
export function showPlaces(text: string, places: readonly ShownPlace[]): string {
  const starts = findLineStarts(text);
  const rows = new Map<number, string>();
  for (const place of places.slice(0, maxPlaces)) {
    const first = findLine(starts, place.start);
    // A place that ends with a line break does not reach into the next line.
    const last = findLine(starts, place.start + Math.max(0, place.length - 1));
    for (const line of listShownLines(first, last, starts.length)) {
      const { from, written } = readLine(text, starts, line);
      if (rows.has(line) || (line === starts.length - 1 && written === '')) continue;
      rows.set(line, `${line + 1}: ${excerptLine(written, Math.max(0, place.start - from), maxLineCharacters)}`);
    }
  }
  const lines = [...rows.keys()].toSorted((a, b) => a - b);
  const shown = lines.flatMap((line, index) => [
    ...(index > 0 && line !== (lines[index - 1] ?? 0) + 1 ? ['...'] : []),
    rows.get(line) ?? '',
  ]);
  const rest = places.length - maxPlaces;
  return [...shown, ...(rest > 0 ? [`... and ${formatCount(rest)} more places`] : [])].join('\n');
}

function listShownLines(first: number, last: number, count: number): number[] {
  const lines: number[] = [];
  for (let line = Math.max(0, first - around); line <= Math.min(count - 1, last + around); line += 1) {
    if (line < first + shownEnds || line > last - shownEnds) lines.push(line);
    else line = Math.max(line, last - shownEnds);
  }
  return lines;
}
