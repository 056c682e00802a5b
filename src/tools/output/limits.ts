/** Limits on one tool call. Each cut result says that it is cut, and how to get the rest. */
export interface ToolLimits {
  maxFiles: number;
  /** Lines of a search that are shown; of more, only the first few, after the counts of their files. */
  maxMatches: number;
  maxFirstMatches: number;
  /** A page of a file, about as many bytes. */
  maxPageCharacters: number;
  /** A file that fits is shown whole if no part is asked for; of a longer one, its beginning and its headings. */
  maxWholeCharacters: number;
  maxFirstCharacters: number;
  maxLineCharacters: number;
  maxCharacters: number;
  /** The longest file that an edit may produce. The workspace enforces the exact limit, in bytes. */
  maxFileCharacters: number;
}

export const defaultToolLimits: ToolLimits = {
  maxFiles: 150,
  maxMatches: 100,
  maxFirstMatches: 30,
  maxPageCharacters: 32 * 1024,
  maxWholeCharacters: 16 * 1024,
  maxFirstCharacters: 6 * 1024,
  maxLineCharacters: 2_000,
  maxCharacters: 32 * 1024,
  maxFileCharacters: 2 * 1024 ** 2,
};

export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** `1 file`, `2 files`. */
export const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Cuts a line at the limit and notes how much is missing. The note is ASCII, like all texts of the tools: one character beyond Latin-1
 * makes V8 store the whole output at two bytes per character.
 */
export function cutLine(line: string, maxCharacters: number): string {
  const rest = line.length - maxCharacters;
  return rest > 0 ? `${line.slice(0, maxCharacters).toWellFormed()}... [${formatCount(rest)} more characters]` : line;
}

/** Joins rows up to a number of characters; then `rest` says, after a number, what is missing and how to see it. */
export function joinRows(rows: readonly string[], maxCharacters: number, rest = 'more lines'): string {
  let characters = 0;
  const fitting = rows.findIndex((row) => {
    characters += row.length + 1;
    return characters > maxCharacters;
  });
  if (fitting === -1) return rows.join('\n');
  return [...rows.slice(0, fitting), `... and ${formatCount(rows.length - fitting)} ${rest}`].join('\n');
}

/** The first rows; of more, `describeRest` says how many there are. */
export function firstRows(
  rows: readonly string[],
  maxRows: number,
  describeRest: (rest: number) => string = (rest) => `${formatCount(rest)} more`,
): string[] {
  const rest = rows.length - maxRows;
  return rest > 0 ? [...rows.slice(0, maxRows), `... and ${describeRest(rest)}`] : [...rows];
}

/** A part of a line around `at`, of at most `maxCharacters` and two marks. ASCII marks, as in all texts of the tools. */
export function excerptLine(line: string, at: number, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line;
  // A third before the match: what follows it says more.
  const start = Math.max(0, Math.min(at - Math.floor(maxCharacters / 3), line.length - maxCharacters));
  const end = start + maxCharacters;
  const part = line.slice(start, end).toWellFormed();
  return `${start > 0 ? '[...] ' : ''}${part}${end < line.length ? ' [...]' : ''}`;
}
