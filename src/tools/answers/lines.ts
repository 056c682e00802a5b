import { excerptLine } from './excerpt.ts';

const maxLineCharacters = 240;

/** The lines that hold these positions, each once, as they are written. `position`: the first one in the line. */
export function showLinesAt(
  text: string,
  positions: readonly number[],
): { position: number; line: number; shown: string }[] {
  const starts = findLineStarts(text);
  const firsts = new Map<number, number>();
  for (const position of positions.toSorted((a, b) => a - b)) {
    const line = findLine(starts, position);
    if (!firsts.has(line)) firsts.set(line, position);
  }
  return [...firsts].map(([line, position]) => {
    const { from, written } = readLine(text, starts, line);
    const shown = excerptLine(written.trimEnd(), position - from, maxLineCharacters);
    return { position, line: line + 1, shown };
  });
}

/** Where each line begins, in characters. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of a position, from 0. */
export function findLine(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A line from 0, without its end. */
export function readLine(text: string, starts: readonly number[], line: number): { from: number; written: string } {
  const from = starts[line] ?? 0;
  return { from, written: text.slice(from, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '') };
}
