/** The lines of each entry at the first depth, without comments and empty lines. None for another value than a list or a map in block style. `text` begins behind the key. */
export function splitEntries(text: string): string[] {
  const firstLine = text.indexOf('\n') + 1;
  if (firstLine === 0 || !/^: *(?:#.*)?\n/.test(text)) return [];
  const lines = text.slice(firstLine).split('\n').slice(0, -1);
  const content = lines.find((line) => findDepth(line) !== -1);
  if (content === undefined) return [];
  const depth = findDepth(content);
  const isItem = content[depth] === '-';
  const entries: string[] = [];
  for (const line of lines) {
    const found = findDepth(line);
    if (found === -1) continue;
    const opens = found <= depth && (!isItem || found < depth || isItemAt(line, found));
    if (opens || entries.length === 0) entries.push(`${line}\n`);
    else entries.push(`${entries.pop() ?? ''}${line}\n`);
  }
  return entries;
}

/** The spaces in front of a line; -1 for a comment or an empty line. */
export function findDepth(line: string): number {
  let depth = 0;
  while (line[depth] === ' ') depth += 1;
  return depth === line.length || line[depth] === '#' ? -1 : depth;
}

export const isItemAt = (line: string, depth: number): boolean =>
  line[depth] === '-' && (line.length === depth + 1 || line[depth + 1] === ' ');
