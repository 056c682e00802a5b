const maxAlternatives = 8;
export const maxGlobLength = 100;

/** Tests a relative POSIX path; null when `maxSteps` is used up. */
export type GlobTest = (path: string) => boolean | null;

/**
 * Compiles a glob: `*` and `?` within a segment, `**` over segments, `{a,b}` (not nested). Returns null when it is too long, has too many
 * alternatives or unbalanced braces. `maxSteps` is for all tested paths together.
 *
 * Not `path.matchesGlob`: globs come from models and repositories, and its regular expressions take exponential time on patterns like
 * `+(a|aa)+(a|aa)b`. This one takes at most pattern × path steps, which `maxSteps` bounds for a whole listing.
 */
export function compileGlob(glob: string, { maxSteps = Number.POSITIVE_INFINITY } = {}): GlobTest | null {
  const alternatives = glob.length > maxGlobLength ? null : expandBraces(glob);
  if (alternatives === null) {
    return null;
  }
  const patterns = alternatives.map((alternative) => alternative.split('/').filter((part) => part !== ''));
  const matcher = createMatcher(maxSteps);
  return (path) => matcher.matchAny(patterns, path);
}

function expandBraces(glob: string): string[] | null {
  let results = [''];
  for (const [index, part] of glob.split(/(\{[^{}]*\})/).entries()) {
    const isGroup = index % 2 === 1;
    if (!isGroup && /[{}]/.test(part)) {
      return null;
    }
    const choices = isGroup ? part.slice(1, -1).split(',') : [part];
    if (results.length * choices.length > maxAlternatives) {
      return null;
    }
    results = results.flatMap((start) => choices.map((choice) => start + choice));
  }
  return results;
}

function createMatcher(maxSteps: number) {
  let steps = 0;
  const step = (): boolean => {
    steps += 1;
    return steps <= maxSteps;
  };

  function matchAny(patterns: readonly string[][], path: string): boolean | null {
    steps += path.length;
    const segments = path.split('/');
    const isMatch = steps <= maxSteps && patterns.some((pattern) => matchSegments(pattern, segments));
    return steps > maxSteps ? null : isMatch;
  }

  const matchSegments = (pattern: readonly string[], segments: readonly string[]): boolean =>
    matchWild({ pattern, items: segments, isWild: (part) => part === '**', matches: matchSegment, step });

  function matchSegment(pattern: string, segment: string): boolean {
    steps += pattern.length + segment.length;
    return matchWild({
      pattern: [...pattern],
      items: [...segment],
      isWild: (part) => part === '*',
      matches: (part, character) => part === '?' || part === character,
      step,
    });
  }

  return { matchAny };
}

/**
 * Tests whether a pattern matches all `items`; a wildcard matches any number of them. Takes at most pattern × items steps, because it
 * backtracks only to the last wildcard: https://research.swtch.com/glob. Calls `step` before each; false ends the test without a match.
 */
export function matchWild<Part, Item>({
  pattern,
  items,
  isWild,
  matches,
  step = () => true,
}: {
  pattern: readonly Part[];
  items: readonly Item[];
  isWild: (part: Part) => boolean;
  matches: (part: Part, item: Item) => boolean;
  step?: () => boolean;
}): boolean {
  let at = 0;
  let next = 0;
  let lastWild = -1;
  let retryFrom = 0;
  while (next < items.length) {
    if (!step()) {
      return false;
    }
    const part = pattern[at];
    const item = items[next];
    if (part !== undefined && isWild(part)) {
      lastWild = at;
      retryFrom = next;
      at += 1;
    } else if (part !== undefined && item !== undefined && matches(part, item)) {
      at += 1;
      next += 1;
    } else if (lastWild !== -1) {
      retryFrom += 1;
      next = retryFrom;
      at = lastWild + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWild);
}
