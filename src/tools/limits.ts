/** How much one tool call may show the model, or write. Whatever is cut says so, and how to get at the rest. */
export interface ToolLimits {
  maxFiles: number;
  maxLines: number;
  maxLineCharacters: number;
  maxCharacters: number;
  /** How long a file may become by an edit; the workspace's own limit, in bytes, is the exact one. */
  maxFileCharacters: number;
}

export const defaultToolLimits: ToolLimits = {
  maxFiles: 300,
  maxLines: 600,
  maxLineCharacters: 2_000,
  maxCharacters: 40_000,
  maxFileCharacters: 2 * 1024 ** 2,
};

/** A number as the model reads it best: 1,203. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/**
 * Cuts a line to the limit, with a note of what is missing. The note is ASCII, like all that the tools say: for one character beyond
 * Latin-1, V8 keeps the whole output at two bytes per character for as long as the run lasts.
 */
export function cutLine(line: string, { maxLineCharacters }: ToolLimits): string {
  const rest = line.length - maxLineCharacters;
  return rest > 0
    ? `${line.slice(0, maxLineCharacters).toWellFormed()}... [${formatCount(rest)} more characters]`
    : line;
}
