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

/** The edits with their places in the text that has them. */
export function placeEdits(edits: readonly TargetEdit[]): { edit: TargetEdit; start: number; end: number }[] {
  let shift = 0;
  return edits
    .toSorted((a, b) => a.start - b.start)
    .map((edit) => {
      const start = edit.start + shift;
      shift += edit.replacement.length - (edit.end - edit.start);
      return { edit, start, end: start + edit.replacement.length };
    });
}
