interface Range {
  start: number;
  count: number;
}

/** The lines of a hunk before and after. https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html */
export function readHunk(header: string): { before: Range; after: Range } | undefined {
  const [, ...numbers] = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(header) ?? [];
  if (numbers.length === 0) return undefined;
  const range = (start = '', count = '1'): Range => ({ start: Number(start), count: Number(count) });
  return { before: range(numbers[0], numbers[1]), after: range(numbers[2], numbers[3]) };
}

/** `Lines 5 to 110`, as they are after the change. */
export function describeHunk(header: string): string {
  const { before, after } = readHunk(header) ?? {};
  if (!before || !after) return '';
  const { start, count } = after.count === 0 ? before : after;
  const removed = after.count === 0 ? ', which are removed' : '';
  return count === 1 ? `Line ${start}` : `Lines ${start} to ${start + count - 1}${removed}`;
}
