const maxDistance = 0.4;
const maxCandidates = 5_000;

/**
 * The most similar name, if it differs in less than two fifths of its characters. Of two paths, folders above both and a common extension do
 * not count.
 */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    const [ours, theirs] = dropShared(name, candidate);
    const longest = Math.max(ours.length, theirs.length);
    const limit = Math.min(best?.distance ?? Number.POSITIVE_INFINITY, longest * maxDistance);
    if (Math.abs(ours.length - theirs.length) >= limit) continue;
    compared += 1;
    if (compared > maxCandidates) break;
    const distance = measureDistance(ours, theirs, limit);
    if (distance < limit) best = { candidate, distance };
  }
  return best?.candidate;
}

/** What two paths have below their common folder, without a common extension. */
function dropShared(a: string, b: string): [string, string] {
  let [start, end] = [0, 0];
  for (let at = 0; at < a.length && a[at] === b[at]; at += 1) if (a[at] === '/') start = at + 1;
  for (let at = 1; at < a.length - start && a.at(-at) === b.at(-at); at += 1) if (a.at(-at) === '.') end = at;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Damerau's distance, where two letters that changed places count once; or `limit` if it is not below. */
function measureDistance(a: string, b: string, limit: number): number {
  let beforeThat: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
        isSwapped ? (beforeThat[column - 2] ?? 0) + 1 : limit,
      );
    }
    // A swap reads the row before the last one.
    if (Math.min(...current, ...previous) >= limit) return limit;
    [beforeThat, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}

const maxTypos = 2;

/** The most similar name, if at most two letters and fewer than half of them differ. */
export function findNearestName(text: string, names: readonly string[]): string | undefined {
  const [wanted, limit] = [text.toLowerCase(), maxTypos + 1];
  const distances = names.map((name) => ({ name, distance: measureDistance(wanted, name.toLowerCase(), limit) }));
  const near = distances.filter(({ name, distance }) => distance < Math.min(limit, name.length / 2));
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}
