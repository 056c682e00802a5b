/** What one tool call may return or write. Each cut result says so, and how to get the rest. */
export interface ToolLimits {
  maxFiles: number;
  maxLines: number;
  maxLineCharacters: number;
  maxCharacters: number;
  /** The longest file that an edit may produce. The workspace enforces the exact limit, in bytes. */
  maxFileCharacters: number;
}

export const defaultToolLimits: ToolLimits = {
  maxFiles: 300,
  maxLines: 600,
  maxLineCharacters: 2_000,
  maxCharacters: 40_000,
  maxFileCharacters: 2 * 1024 ** 2,
};

export const formatCount = (count: number): string => count.toLocaleString('en-US');

/**
 * Cuts a line at the limit and notes how much is missing. The note is ASCII, like all texts of the tools: one character beyond Latin-1
 * makes V8 store the whole output at two bytes per character.
 */
export function cutLine(line: string, maxCharacters: number): string {
  const rest = line.length - maxCharacters;
  return rest > 0 ? `${line.slice(0, maxCharacters).toWellFormed()}... [${formatCount(rest)} more characters]` : line;
}
