/** With blanks in place of ranges, which come in order and may overlap; the ends of lines stay. */
export function blankRanges(text: string, ranges: Iterable<readonly [start: number, end: number]>): string {
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    const at = Math.max(from, start);
    if (end <= at) continue;
    kept.push(text.slice(from, at), text.slice(at, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return kept.join('') + text.slice(from);
}
