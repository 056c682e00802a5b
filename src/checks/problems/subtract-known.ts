import type { FoundProblem } from '../problem.ts';

/**
 * The problems that the base has not. As multisets: a file that had one broken link to a page and now has two has one more. A problem is the
 * same if it stands in the same file, whatever the file is called now, and leads to the same place, or is written in the same way.
 */
export function subtractKnown(
  after: readonly FoundProblem[],
  before: readonly FoundProblem[],
  moves: ReadonlyMap<string, string>,
): FoundProblem[] {
  const byTarget = count(before, ({ kind, target, file }) => [file, kind, target].join('\n'));
  const byText = count(before, ({ kind, written, file }) => written && [file, kind, written].join('\n'));
  return after.filter(({ file, kind, target, written }) => {
    const was = moves.get(file) ?? file;
    const isKnown = take(byTarget, [was, kind, moveTarget(target, moves)].join('\n'));
    // Relative links of a page that moves lead to another place that does not exist either.
    return !isKnown && !(was !== file && written !== undefined && take(byText, [was, kind, written].join('\n')));
  });
}

/** `path#anchor` of a page that moved. */
function moveTarget(target: string, moves: ReadonlyMap<string, string>): string {
  const [path = '', ...anchor] = target.split('#');
  return [moves.get(path) ?? path, ...anchor].join('#');
}

function count(problems: readonly FoundProblem[], keyOf: (problem: FoundProblem) => string | undefined) {
  const counts = new Map<string, number>();
  for (const problem of problems) {
    const key = keyOf(problem);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  counts.set(key, left - 1);
  return left > 0;
}
