import type { FoundProblem } from '../problem.ts';

/**
 * The problems that the base does not have. As multisets: a file that had one broken link to a page and now has two has one more. A problem is the
 * same if it is in the same file, even if that was renamed, and leads to the same place, or is written in the same way. A copy has
 * the problems of its original.
 */
export function subtractKnown(
  after: readonly FoundProblem[],
  before: readonly FoundProblem[],
  { moves, originOf }: { moves: ReadonlyMap<string, string>; originOf(path: string): string },
): FoundProblem[] {
  const byOrigin = Map.groupBy(before, ({ file }) => file);
  return [...Map.groupBy(after, ({ file }) => file)].flatMap(([file, problems]) => {
    const known = [...(byOrigin.get(originOf(file)) ?? [])];
    const take = (isSame: (other: FoundProblem) => boolean) => {
      const index = known.findIndex(isSame);
      if (index >= 0) known.splice(index, 1);
      return index >= 0;
    };
    const elsewhere = problems.filter(
      ({ kind, target }) => !take((other) => other.kind === kind && other.target === moveTarget(target, moves)),
    );
    // Relative links of a page that moves, and links to a version that is not the latest any more.
    return elsewhere.filter(
      ({ kind, written }) =>
        written === undefined || !take((other) => other.kind === kind && other.written === written),
    );
  });
}

/** `path#anchor` of a page that moved. */
function moveTarget(target: string, moves: ReadonlyMap<string, string>): string {
  const [path = '', ...anchor] = target.split('#');
  return [moves.get(path) ?? path, ...anchor].join('#');
}
