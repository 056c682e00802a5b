/** Tells the line of a position, from 1. */
export function createLineOf(text: string): (position: number) => number {
  const starts = findLineStarts(text);
  return (position) => findLine(starts, position) + 1;
}

/** Where each line begins, in characters. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of a position, from 0. */
export function findLine(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
