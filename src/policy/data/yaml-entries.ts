/** How the entries of a list or a map in block style begin. */
interface EntryStyle {
  depth: number;
  isItem: boolean;
}

interface Entries {
  /** The lines of each entry, without comments and empty lines. */
  texts: string[];
  starts: number[];
}

/** The entries at the first depth. None for another value than a list or a map in block style. `text` begins behind the key. */
export function splitEntries(text: string): Entries & { style: EntryStyle | undefined } {
  const none = { texts: [], starts: [], style: undefined };
  const firstLine = text.indexOf('\n') + 1;
  if (firstLine === 0 || !/^: *(?:#.*)?\n/.test(text)) return none;
  const lines = text.slice(firstLine);
  const content = lines.split('\n').find((line) => findDepth(line) !== -1);
  if (content === undefined) return none;
  const depth = findDepth(content);
  const style = { depth, isItem: content[depth] === '-' };
  const entries = splitLines(lines, style);
  return { ...entries, starts: entries.starts.map((start) => start + firstLine), style };
}

/** Lines between two entries, or all of them. */
export function splitLines(text: string, { depth, isItem }: EntryStyle): Entries {
  const texts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const line of text.split('\n').slice(0, -1)) {
    const found = findDepth(line);
    if (found !== -1) {
      const opens = found <= depth && (!isItem || found < depth || isItemAt(line, found));
      if (opens || texts.length === 0) {
        texts.push(`${line}\n`);
        starts.push(at);
      } else {
        texts.push(`${texts.pop() ?? ''}${line}\n`);
      }
    }
    at += line.length + 1;
  }
  return { texts, starts };
}

/** The spaces in front of a line; -1 for a comment or an empty line. */
export function findDepth(line: string): number {
  let depth = 0;
  while (line[depth] === ' ') depth += 1;
  return depth === line.length || line[depth] === '#' ? -1 : depth;
}

export const isItemAt = (line: string, depth: number): boolean =>
  line[depth] === '-' && (line.length === depth + 1 || line[depth + 1] === ' ');
