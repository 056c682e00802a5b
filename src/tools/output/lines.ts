import { findLine, findLineStarts } from '../../docs/line-of.ts';
import { excerptLine } from './excerpt.ts';

const maxLineCharacters = 240;

/** The lines that hold these positions, each once, as they are written. `position`: the first one in the line. */
export function showLinesAt(
  text: string,
  positions: readonly number[],
  maxCharacters = maxLineCharacters,
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
export function readLine(text: string, starts: readonly number[], line: number): { from: number; written: string } {
  const from = starts[line] ?? 0;
  return { from, written: text.slice(from, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '') };
}
