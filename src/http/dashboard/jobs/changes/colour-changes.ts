import type { Diff } from '../../../../diffs/format-diff.ts';
import type { ColouredLine } from '../../highlight/coloured-line.ts';
import type { CodeText, Colour } from '../../highlight/create-colourer.ts';
import { findLanguage } from '../../highlight/find-language.ts';
import { type Line, readPatch } from './patch-lines.ts';

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
