import { findLine, findLineStarts } from '../../docs/line-of.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { excerptLine, formatCount } from './limits.ts';

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

/** The lines that hold these positions, each once, as they are written. `position`: the first one in the line. */
export function showLinesAt(
  text: string,
  positions: readonly number[],
  maxCharacters = 240,
): { position: number; line: number; shown: string }[] {
  const starts = findLineStarts(text);
  const firsts = new Map<number, number>();
  for (const position of positions.toSorted((a, b) => a - b)) {
    const line = findLine(starts, position);
    if (!firsts.has(line)) firsts.set(line, position);
  }
  return [...firsts].map(([line, position]) => {
    const { from, written } = readLine(text, starts, line);
    const shown = excerptLine(written.trimEnd(), position - from, maxCharacters);
    return { position, line: line + 1, shown };
  });
}

/** A line from 0, without its end. */
function readLine(text: string, starts: readonly number[], line: number): { from: number; written: string } {
  const from = starts[line] ?? 0;
  return { from, written: text.slice(from, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '') };
}

interface Rewrite {
  before: string;
  after: string;
}

const maxSmallCharacters = 64 * 1024;

export const rewriteTask: ThreadTask<Rewrite, string> = {
  module: import.meta.url,
  work: showRewrite,
  isSmall: ({ before, after }) => before.length + after.length <= maxSmallCharacters,
};

/** The new text from the first to the last changed character. */
export function showRewrite({ before, after }: Rewrite): string {
  if (before === after) return 'it is the same as before';
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shortest - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  return `changed lines are now:\n${showPlaces(after, [{ start, length: after.length - same - start }])}`;
}
