const maxDistance = 0.4;
const maxCandidates = 5_000;

/** The most similar name, if it differs in less than two fifths of its characters. */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    const longest = Math.max(name.length, candidate.length);
    const limit = Math.min(best?.distance ?? Number.POSITIVE_INFINITY, longest * maxDistance);
    if (Math.abs(name.length - candidate.length) >= limit) continue;
    compared += 1;
    if (compared > maxCandidates) break;
    const distance = measureDistance(name, candidate, limit);
    if (distance < limit) best = { candidate, distance };
  }
  return best?.candidate;
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
