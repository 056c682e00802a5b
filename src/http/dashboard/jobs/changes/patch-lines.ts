import type { Diff } from '../../../../diffs/format-diff.ts';
import { type CodeText, type ColouredLine, findLanguage } from '../../highlight/colour-texts.ts';
import type { Colour } from '../../highlight/create-colourer.ts';

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

/** A changed file, line by line. */
export interface ShownFile {
  file: Diff['files'][number];
  lines: Line[];
  colours: Map<Line, ColouredLine>;
}

const mostColouredLines = 2_000;

/** Reads the patches, and colours their lines: each hunk by itself, before and after. */
export async function colourChanges(
  files: Diff['files'],
  { colour, fill }: { colour: Colour; fill: (file: Diff['files'][number], lines: Line[]) => Line[] },
): Promise<{ shown: ShownFile[]; isLate: boolean }> {
  const shown = files.map((file): ShownFile => {
    const lines = readPatch(file.patch);
    return { file, lines: fill(file, lines), colours: new Map() };
  });
  const parts = shown.flatMap((each) => listParts(each));
  const { lines: coloured, isLate } = await colour(parts.map(({ text }) => text));
  for (const [index, { lines, colours }] of parts.entries())
    for (const [place, line] of lines.entries()) {
      const found = coloured[index]?.[place];
      if (found) colours.set(line, found);
    }
  return { shown, isLate };
}

interface Part {
  lines: Line[];
  text: CodeText | undefined;
  colours: ShownFile['colours'];
}

function listParts({ file, lines, colours }: ShownFile): Part[] {
  const language = findLanguage(file.path);
  if (language === undefined) return [];
  const hunks: Line[][] = [[]];
  for (const line of lines.slice(0, mostColouredLines)) {
    if (line.kind === 'hunk') hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  const side = (hunk: Line[], left: Line['kind']): Part => {
    const own = hunk.filter(({ kind }) => kind !== left);
    return { lines: own, text: { language, text: own.map(({ text }) => text).join('\n') }, colours };
  };
  return hunks
    .filter((hunk) => hunk.length > 0)
    .flatMap((hunk) => {
      const hasRemoved = hunk.some(({ kind }) => kind === 'delete');
      return hasRemoved ? [side(hunk, 'add'), side(hunk, 'delete')] : [side(hunk, 'delete')];
    });
}
