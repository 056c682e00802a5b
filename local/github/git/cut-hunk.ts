/** The hunk of a patch up to a line, as a comment on that line shows it; undefined outside the diff. */
export function cutHunk(patch: string, line: number, side: 'LEFT' | 'RIGHT'): string | undefined {
  let hunk: string[] = [];
  const at = { LEFT: 0, RIGHT: 0 };
  for (const text of patch.split('\n')) {
    const [, left, right] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text) ?? [];
    if (left !== undefined && right !== undefined) {
      Object.assign(at, { LEFT: Number(left), RIGHT: Number(right) });
      hunk = [text];
      continue;
    }
    hunk.push(text);
    // "\ No newline at end of file" belongs to neither side.
    if (text.startsWith('\\')) continue;
    const sides = { LEFT: !text.startsWith('+'), RIGHT: !text.startsWith('-') };
    if (sides[side] && at[side] === line) return hunk.join('\n');
    if (sides.LEFT) at.LEFT += 1;
    if (sides.RIGHT) at.RIGHT += 1;
  }
  return undefined;
}
