const MAX_ALTERNATIVES = 8;
export const MAX_GLOB_LENGTH = 100;

/** Whether a relative POSIX path matches; null when the steps that were allowed do not suffice to tell. */
export type GlobTest = (path: string) => boolean | null;

/**
 * Compiles a glob: `*` and `?` within a segment, `**` over segments, `{a,b}` (not nested). Returns null when it is too long, too wide or
 * unbalanced. `maxSteps` is for all paths together.
 *
 * Not `path.matchesGlob`: globs come from models and repositories, and its regular expressions take exponential time on patterns like
 * `+(a|aa)+(a|aa)b`. This one takes pattern × path at worst, which over a whole listing is still too much to wait for: hence the steps.
 */
export function compileGlob(glob: string, { maxSteps = Number.POSITIVE_INFINITY } = {}): GlobTest | null {
  const alternatives = glob.length > MAX_GLOB_LENGTH ? null : expandBraces(glob);
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
    if (results.length * choices.length > MAX_ALTERNATIVES) {
      return null;
    }
    results = results.flatMap((start) => choices.map((choice) => start + choice));
  }
  return results;
}

function createMatcher(maxSteps: number) {
  let steps = 0;

  function matchAny(patterns: readonly string[][], path: string): boolean | null {
    steps += path.length;
    const segments = path.split('/');
    const isMatch = steps <= maxSteps && patterns.some((pattern) => matchSegments(pattern, segments));
    return steps > maxSteps ? null : isMatch;
  }

  const matchSegments = (pattern: readonly string[], segments: readonly string[]): boolean =>
    matchWild(
      pattern,
      segments,
      (part) => part === '**',
      (part, segment) => matchSegment(part, segment),
    );

  function matchSegment(pattern: string, segment: string): boolean {
    steps += pattern.length + segment.length;
    return matchWild(
      [...pattern],
      [...segment],
      (character) => character === '*',
      (character, given) => character === '?' || character === given,
    );
  }

  /**
   * Greedy matching that only ever goes back to the last wildcard: later wildcards make earlier ones' choices irrelevant.
   * https://research.swtch.com/glob
   */
  function matchWild(
    pattern: readonly string[],
    given: readonly string[],
    isWild: (part: string) => boolean,
    matches: (part: string, item: string) => boolean,
  ): boolean {
    let at = 0;
    let next = 0;
    let lastWild = -1;
    let retryFrom = 0;
    while (next < given.length) {
      steps += 1;
      if (steps > maxSteps) {
        return false;
      }
      const part = pattern[at];
      const item = given[next];
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

  return { matchAny };
}
