const maxAlternatives = 8;
/** The paths of some pages in braces. */
export const maxGlobLength = 400;

/** Tests a relative POSIX path; null when `maxSteps` is used up. */
export type GlobTest = (path: string) => boolean | null;

/**
 * `*` and `?` within a segment, `**` over segments, `{a,b}` (not nested). Null for an invalid or too complex glob. Not `path.matchesGlob`:
 * globs come from models and repositories, and its regular expressions take exponential time, for instance on `+(a|aa)+(a|aa)b`.
 */
export function compileGlob(glob: string, { maxSteps = Number.POSITIVE_INFINITY } = {}): GlobTest | null {
  const alternatives = expandBraces(glob);
  if (alternatives === null) return null;
  const patterns = alternatives.map((alternative) => alternative.split('/').filter((part) => part !== ''));
  const matcher = createMatcher(maxSteps);
  return (path) => matcher.matchAny(patterns, path);
}

/** The globs without braces that a glob stands for; null for an invalid or too complex glob. */
export function expandBraces(glob: string): string[] | null {
  if (glob.length > maxGlobLength) return null;
  let results = [''];
  for (const [index, part] of glob.split(/(\{[^{}]*\})/).entries()) {
    const isGroup = index % 2 === 1;
    if (!isGroup && /[{}]/.test(part)) return null;
    const choices = isGroup ? part.slice(1, -1).split(',') : [part];
    if (results.length * choices.length > maxAlternatives) return null;
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

/** At most pattern × items steps: backtracks only to the last wildcard. `step` returns false to end. https://research.swtch.com/glob */
export function matchWild<Part, Item>(options: {
  pattern: readonly Part[];
  items: readonly Item[];
  isWild: (part: Part) => boolean;
  matches: (part: Part, item: Item) => boolean;
  step?: () => boolean;
}): boolean {
  const { pattern, items, isWild, matches, step = () => true } = options;
  let at = 0;
  let next = 0;
  let lastWild = -1;
  let retryFrom = 0;
  while (next < items.length) {
    if (!step()) return false;
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
