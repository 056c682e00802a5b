import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSlowMatch } from '../../../harness/patterns/find-slow-match.ts';

const reasonOf = ({ source, flags }: RegExp) => findSlowMatch({ source, flags });

describe('a pattern that may take more than linear time is found', () => {
  test.each<[string, RegExp, string]>([
    ['two loops of one line', /^(#{1,6} .*?) *<a/, 'the power of 2'],
    ['a loop in a loop', /^(?:a+)+$/, 'in two ways'],
    ['an optional part of a loop', /^(?:a?a?)*$/, 'in two ways'],
    ['alternatives that overlap', /^(?:\w|\d)+$/, 'in two ways'],
    ['an end that is looked for everywhere', /\/+$/, 'the power of 2'],
    ['a beginning that comes again', /<!--.*?-->/g, 'the power of 2'],
    ['three loops', /a.*b.*c/, 'the power of 3'],
    ['line ends between two loops', /^\s*!/m, 'the power of 2'],
    ['a loop in a lookahead', /\/(?![^(]*\))/, 'the power of 2'],
    ['a sticky pattern, which is asked at each place', / *x/y, 'the power of 2'],
    ['characters of both cases', /^[a-z]*[A-Z]*-$/i, 'the power of 2'],
    ['a match that may end before a loop', /a(?:.*b)?/g, 'the power of 2'],
    ['long limits', /x.{0,90}y.{0,90}z/, '8100 times'],
    ['a backreference', /^(a*)-\1$/, 'a backreference'],
    ['a lookbehind of any length', /(?<=a\s*)b/, 'a lookbehind'],
  ])('%s', (_name, pattern, reason) => {
    expect(reasonOf(pattern)).toContain(reason);
  });
});

describe('a linear pattern is not found', () => {
  test.each<[string, RegExp]>([
    ['loops that read different characters', /^[ \t]*[a-z]+[ \t]*=/],
    ['a loop behind a lookbehind', /(?<!\/)\/+$/],
    ['a loop behind a word boundary', /\b\w+:/],
    ['a loop of one line', /^[ \t]*!/m],
    ['a loop to the end of the line', /#.*$/m],
    ['a loop to the end of the text', /:.*$/s],
    ['a loop that the next beginning ends', /<[^<>]*>/g],
    ['a loop that a lookahead ends', /^\s*(?!\s)\w*\s*$/],
    ['short limits', /x.{0,20}y.{0,20}z/],
    ['counted parts', /^(?:[a-z]{2}-?){1,9}$/],
  ])('%s', (_name, pattern) => {
    expect(reasonOf(pattern)).toBeUndefined();
  });
});

type Part = string | Part[] | { part: Part; least: number; most: number };

const { part: drawn } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '[ab]', '[^a]', '.'),
    fc.array(tie('part'), { minLength: 1, maxLength: 4 }),
    fc.record({ part: tie('part'), least: fc.constantFrom(0, 1), most: fc.constantFrom(1, Number.POSITIVE_INFINITY) }),
  ),
}));

function write(part: Part): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(write).join('');
  return `(?:${write(part.part)}){${part.least},${Number.isFinite(part.most) ? part.most : ''}}`;
}

/** The steps of a backtracking matcher that does not find the end. */
function countSteps(pattern: Part, text: string, most: number): number {
  let steps = 0;
  const match = (part: Part, at: number, next: (at: number) => boolean): boolean => {
    steps += 1;
    if (steps > most) return true;
    if (typeof part === 'string') return at < text.length && new RegExp(part).test(text.charAt(at)) && next(at + 1);
    if (Array.isArray(part)) {
      const [first, ...rest] = part;
      return first === undefined ? next(at) : match(first, at, (after) => match(rest, after, next));
    }
    const repeat = (from: number, times: number): boolean =>
      (times < part.most && match(part.part, from, (to) => to > from && repeat(to, times + 1))) ||
      (times >= part.least && next(from));
    return repeat(at, 0);
  };
  match(pattern, 0, () => false);
  return steps > most ? Number.POSITIVE_INFINITY : steps;
}

test('a pattern that is called linear takes twice the steps for twice the text', () => {
  const linear = drawn.filter((part) => findSlowMatch({ source: `^${write(part)}-`, flags: '' }) === undefined);
  fc.assert(
    fc.property(linear, fc.constantFrom('a', 'b', 'ab', 'aab', 'abb'), (part, text) => {
      const short = countSteps(part, text.repeat(60), 1e6);
      expect(countSteps(part, text.repeat(120), 1e6)).toBeLessThan(2.5 * short + 200);
    }),
    { numRuns: 300 },
  );
});
