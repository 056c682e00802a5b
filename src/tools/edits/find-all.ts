/**
 * The places of `target` in `text`, not overlapping. Knuth, Morris and Pratt's search, because `indexOf` takes text × target steps for a near
 * miss in repetitive text: 2.5 s for 10,000 characters in 2 MiB. `onStep` counts comparisons, for tests.
 */
export function findAll(text: string, target: string, onStep = () => {}): number[] {
  if (target === '' || target.length > text.length) return [];
  const borders = findBorders(target, onStep);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extend(target, borders, matched, text.charCodeAt(at), onStep);
    if (matched === target.length) {
      places.push(at + 1 - matched);
      matched = 0;
    }
  }
  return places;
}

/** For each position of the target: the length of the longest end before it that is also the beginning of the target. */
function findBorders(target: string, onStep: () => void): Int32Array {
  const borders = new Int32Array(target.length);
  for (let at = 1; at < target.length; at += 1) {
    borders[at] = extend(target, borders, borders[at - 1] ?? 0, target.charCodeAt(at), onStep);
  }
  return borders;
}

function extend(target: string, borders: Int32Array, from: number, unit: number, onStep: () => void): number {
  let matched = from;
  for (;;) {
    onStep();
    if (target.charCodeAt(matched) === unit) return matched + 1;
    if (matched === 0) return 0;
    matched = borders[matched - 1] ?? 0;
  }
}
