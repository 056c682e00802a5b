import { matchWild } from './match-wild.ts';

const maxAlternatives = 8;
export const maxGlobLength = 100;

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
    matchWild({ pattern, given: segments, isWild: (part) => part === '**', matches: matchSegment, step });

  function matchSegment(pattern: string, segment: string): boolean {
    steps += pattern.length + segment.length;
    return matchWild({
      pattern: [...pattern],
      given: [...segment],
      isWild: (character) => character === '*',
      matches: (character, given) => character === '?' || character === given,
      step,
    });
  }

  return { matchAny };
}
