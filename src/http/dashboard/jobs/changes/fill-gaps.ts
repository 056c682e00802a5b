import { readHunk } from './describe-hunk.ts';
import type { Line } from './number-lines.ts';

/**
 * The lines of a patch, and between them the other lines of the file, of which `text` is the version after the change. `only`: those
 * before the hunk that begins at this line, and no others.
 */
export function fillGaps(lines: readonly Line[], text: string, only?: number): Line[] {
  const all = text.replace(/\n$/, '').split('\n');
  const filled: Line[] = [];
  let [before, after] = [1, 1];
  const fillTo = (end: number) => {
    for (; after < end; after += 1, before += 1)
      filled.push({ kind: 'same', before, after, text: all[after - 1] ?? '' });
  };
  for (const line of lines) {
    if (line.kind === 'hunk') {
      const hunk = readHunk(line.text);
      // An empty range begins after its line.
      const start = (range: { start: number; count: number }) => (range.count === 0 ? range.start + 1 : range.start);
      const isFilled = only === undefined || only === hunk?.after.start;
      if (hunk && !isFilled) {
        filled.push(line);
        [before, after] = [start(hunk.before), start(hunk.after)];
      } else if (hunk) fillTo(start(hunk.after));
      continue;
    }
    filled.push(line);
    if (line.kind !== 'add') before += 1;
    if (line.kind !== 'delete') after += 1;
  }
  if (only === undefined) fillTo(all.length + 1);
  return filled;
}

/** The version before the change. */
export const joinBefore = (lines: readonly Line[]): string =>
  lines
    .filter(({ kind }) => kind !== 'add' && kind !== 'hunk')
    .map(({ text }) => `${text}\n`)
    .join('');
