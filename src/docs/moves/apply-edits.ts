/** Replaces the text from `start` to `end`, which are positions in the file before the move. */
export interface TargetEdit {
  line: number;
  start: number;
  end: number;
  replacement: string;
}

export function applyEdits(text: string, edits: readonly TargetEdit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(end, edit.start), edit.replacement);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}
