/** A part of a line around `at`, of at most `maxCharacters` and two marks. ASCII marks, as in all texts of the tools. */
export function excerptLine(line: string, at: number, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line;
  // A third before the match: what follows it says more.
  const start = Math.max(0, Math.min(at - Math.floor(maxCharacters / 3), line.length - maxCharacters));
  const end = start + maxCharacters;
  const part = line.slice(start, end).toWellFormed();
  return `${start > 0 ? '[...] ' : ''}${part}${end < line.length ? ' [...]' : ''}`;
}
