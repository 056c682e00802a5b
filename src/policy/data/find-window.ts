/** The part of two texts that differs, widened to places in `before`. */
interface Window {
  /** In both texts. */
  start: number;
  /** In `before`. */
  end: number;
  old: string;
  now: string;
}

/**
 * The smallest window between two of the places, which are offsets in `before`, in order. Undefined where no place is before the first
 * difference, or none behind the last.
 */
export function findWindow(before: string, after: string, places: readonly number[]): Window | undefined {
  const same = countSame(before, after);
  const start = places.findLast((place) => place <= same);
  if (start === undefined) return undefined;
  const kept = countKept(before, after, Math.min(before.length, after.length) - start);
  const end = places.find((place) => place >= before.length - kept);
  if (end === undefined) return undefined;
  return { start, end, old: before.slice(start, end), now: after.slice(start, after.length - (before.length - end)) };
}

/** How many characters the two have in common at their start. */
export function countSame(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  return same;
}

/** At their end, but no more than `most`. */
export function countKept(before: string, after: string, most: number): number {
  let kept = 0;
  while (kept < most && before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept)) {
    kept += 1;
  }
  return kept;
}
