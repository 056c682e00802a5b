/** The most similar name, if at most two letters and fewer than half of them differ. */
export function findNearestName(text: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: countEdits(text.toLowerCase(), name.toLowerCase()) }));
  const near = distances.filter(({ name, distance }) => distance <= 2 && distance < name.length / 2);
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** https://en.wikipedia.org/wiki/Levenshtein_distance */
function countEdits(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
