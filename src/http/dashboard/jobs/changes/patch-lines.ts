/** A line of a patch, or of the file around it. A hunk has the numbers of its first lines, and says which lines it shows. */
export type Line =
  | { kind: 'hunk'; before: number; after: number; text: string }
  | { kind: 'add'; before: null; after: number; text: string }
  | { kind: 'delete'; before: number; after: null; text: string }
  | { kind: 'same'; before: number; after: number; text: string };

/** Reads a patch, and numbers its lines as in both files. */
export function readPatch(patch: string | null): Line[] {
  let [before, after] = [0, 0];
  return (patch ?? '').split('\n').flatMap((line): Line[] => {
    const hunk = readHunk(line);
    if (hunk) {
      [before, after] = [hunk.before, hunk.after];
      return [hunk];
    }
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ kind: 'add', before: null, after: after++, text }];
    if (line.startsWith('-')) return [{ kind: 'delete', before: before++, after: null, text }];
    if (line.startsWith(' ')) return [{ kind: 'same', before: before++, after: after++, text }];
    return [];
  });
}

/** https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html */
function readHunk(header: string): (Line & { kind: 'hunk' }) | undefined {
  const found = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(header);
  if (!found) return undefined;
  const range = (start = '', count = '1') => ({ start: Number(start), count: Number(count) });
  const [was, is] = [range(found[1], found[2]), range(found[3], found[4])];
  // An empty range begins after its line.
  const first = ({ start, count }: typeof was) => (count === 0 ? start + 1 : start);
  const { start, count } = is.count === 0 ? was : is;
  const removed = is.count === 0 ? ', which are removed' : '';
  const text = count === 1 ? `Line ${start}` : `Lines ${start} to ${start + count - 1}${removed}`;
  return { kind: 'hunk', before: first(was), after: first(is), text };
}

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
      if (only === undefined || only === line.after) fillTo(line.after);
      else filled.push(line);
      [before, after] = [line.before, line.after];
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
