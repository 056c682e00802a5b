import { readHunk } from './describe-hunk.ts';
import type { Line } from './number-lines.ts';

/** The lines of a patch, and between them the other lines of the file, of which `text` is the version after the change. */
export function fillGaps(lines: readonly Line[], text: string): Line[] {
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
      if (hunk) fillTo(hunk.after.count === 0 ? hunk.after.start + 1 : hunk.after.start);
      continue;
    }
    filled.push(line);
    if (line.kind !== 'add') before += 1;
    if (line.kind !== 'delete') after += 1;
  }
  fillTo(all.length + 1);
  return filled;
}

/** The version before the change. */
export const joinBefore = (lines: readonly Line[]): string =>
  lines
    .filter(({ kind }) => kind !== 'add' && kind !== 'hunk')
    .map(({ text }) => `${text}\n`)
    .join('');
