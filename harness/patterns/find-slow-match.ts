import { createAutomaton } from './automaton.ts';
import { type Automaton, type Edge, UnreadablePattern } from './connect-states.ts';

/** A matcher may look again at so many characters before each one. */
const mostRepeats = 1_000;

/**
 * Why a backtracking matcher may take longer than linear time for a pattern, wherever a match may begin; undefined if it cannot. Every slow
 * pattern is found: two loops that read the same text, one after the other, or a loop that reads it in two ways. A pattern that is found may
 * be fast: nothing is known of what the text cannot hold. Follows Weideman et al., https://doi.org/10.1007/978-3-319-40946-7_27
 */
export function findSlowMatch(pattern: { source: string; flags: string }): string | undefined {
  try {
    return judge(createAutomaton(pattern));
  } catch (error) {
    if (error instanceof UnreadablePattern) return error.message;
    throw error;
  }
}

function judge(automaton: Automaton): string | undefined {
  const { states, search, starts } = automaton;
  const edgesOf = (state: number): readonly Edge[] => states[state]?.edges ?? [];
  const reached = states.map((_, state) => reach([state], edgesOf));
  const isUsed = new Set([...starts, ...reach(starts, edgesOf)]);
  const loops: number[][] = [];
  for (const state of isUsed) {
    if (!reached[state]?.has(state) || loops.some((loop) => loop.includes(state))) continue;
    loops.push([...isUsed].filter((other) => reached[state]?.has(other) && reached[other]?.has(state)));
  }
  const mostOf = (loop: readonly number[]) =>
    loop.includes(search) ? Number.POSITIVE_INFINITY : Math.max(...loop.map((state) => states[state]?.most ?? 1));
  const isEnding = (state: number) => endsAnywhere(automaton, state);

  if (loops.some((loop) => readsInTwoWays(loop, edgesOf, isEnding))) return 'a loop can read the same text in two ways';
  const followers = new Map(
    loops.map((loop) => [
      loop,
      loops.filter(
        (other) =>
          other !== loop &&
          reached[loop[0] ?? 0]?.has(other[0] ?? 0) === true &&
          readsTheSame({ loop, other, edgesOf, reached, isEnding }),
      ),
    ]),
  );
  const costs = loops.map((loop) => findCost(loop, followers, mostOf));
  const worst = costs.reduce((most, cost) => (isMore(cost, most) ? cost : most), { degree: 1, repeats: 1 });
  if (worst.degree > 1) return `its time grows with the text to the power of ${worst.degree}`;
  return worst.repeats > mostRepeats ? `it may read each character ${worst.repeats} times` : undefined;
}

function reach(from: readonly number[], edgesOf: (state: number) => readonly Edge[]): Set<number> {
  const found = new Set<number>();
  const waiting = [...from];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const { to } of edgesOf(state)) {
      if (found.has(to)) continue;
      found.add(to);
      waiting.push(to);
    }
  }
  return found;
}

/** Whatever follows, the pattern matches from here on: a matcher that arrives does not go back. */
function endsAnywhere({ states, all }: Automaton, state: number): boolean {
  const { ends = [], edges = [] } = states[state] ?? {};
  const own = edges.filter(({ to }) => to === state);
  return ends.some(
    ({ isExact, isAtEnd, after }) =>
      isExact && isAtEnd && (after === all || own.some(({ characters }) => (all & ~characters & ~after) === 0n)),
  );
}

/** Whether two different paths of the loop lead from a state back to it, by the same text. */
function readsInTwoWays(
  loop: readonly number[],
  edgesOf: (state: number) => readonly Edge[],
  isEnding: (state: number) => boolean,
): boolean {
  const inside = new Set(loop);
  return loop.some((home) => {
    if (isEnding(home)) return false;
    const seen = new Set<string>();
    const waiting: [first: number, second: number, isSplit: boolean][] = [[home, home, false]];
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      const [first, second, wasSplit] = pair;
      for (const one of edgesOf(first)) {
        if (!inside.has(one.to)) continue;
        for (const two of edgesOf(second)) {
          if (!inside.has(two.to) || (one.characters & two.characters) === 0n) continue;
          const isSplit = wasSplit || one !== two;
          if (isSplit && one.to === home && two.to === home) return true;
          const key = `${one.to} ${two.to} ${isSplit}`;
          if (seen.has(key)) continue;
          seen.add(key);
          waiting.push([one.to, two.to, isSplit]);
        }
      }
    }
    return false;
  });
}

/** Whether some text leads around the first loop, from it to the second one, and around that one: each split of its repeats is tried. */
function readsTheSame({
  loop,
  other,
  edgesOf,
  reached,
  isEnding,
}: {
  loop: readonly number[];
  other: readonly number[];
  edgesOf: (state: number) => readonly Edge[];
  reached: readonly ReadonlySet<number>[];
  isEnding: (state: number) => boolean;
}): boolean {
  const [inFirst, inSecond] = [new Set(loop), new Set(other)];
  const homes = loop.flatMap((first) =>
    other.filter((second) => !isEnding(second)).map((second) => ({ first, second })),
  );
  return homes.some(({ first, second }) => {
    const seen = new Set<string>();
    const waiting: [around: number, between: number, behind: number][] = [[first, first, second]];
    for (let triple = waiting.pop(); triple; triple = waiting.pop()) {
      const [around, between, behind] = triple;
      for (const one of edgesOf(around)) {
        if (!inFirst.has(one.to)) continue;
        for (const three of edgesOf(behind)) {
          const common = one.characters & three.characters;
          if (!inSecond.has(three.to) || common === 0n) continue;
          for (const two of edgesOf(between)) {
            if ((two.characters & common) === 0n || !reached[two.to]?.has(second)) continue;
            if (one.to === first && two.to === second && three.to === second) return true;
            const key = `${one.to} ${two.to} ${three.to}`;
            if (seen.has(key)) continue;
            seen.add(key);
            waiting.push([one.to, two.to, three.to]);
          }
        }
      }
    }
    return false;
  });
}

interface Cost {
  degree: number;
  repeats: number;
}

const isMore = (a: Cost, b: Cost) => a.degree > b.degree || (a.degree === b.degree && a.repeats > b.repeats);

/** Loops multiply: each one without a limit by the length of the text, the others by their limit. */
function findCost(
  loop: readonly number[],
  followers: ReadonlyMap<readonly number[], readonly (readonly number[])[]>,
  mostOf: (loop: readonly number[]) => number,
): Cost {
  const costs = (followers.get(loop) ?? []).map((other) => findCost(other, followers, mostOf));
  const { degree, repeats } = costs.reduce((most, cost) => (isMore(cost, most) ? cost : most), {
    degree: 0,
    repeats: 1,
  });
  const most = mostOf(loop);
  return Number.isFinite(most) ? { degree, repeats: repeats * most } : { degree: degree + 1, repeats };
}
