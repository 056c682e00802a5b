/** What stands between two characters. `isExact` is false where it only says less than the pattern: it may let through what the pattern refuses. */
export interface Guard {
  before: bigint;
  after: bigint;
  isAtStart: boolean;
  isAtEnd: boolean;
  isExact: boolean;
}

/** One way without a character. Two ways between the same nodes are two edges: a matcher tries both. */
export interface Way extends Guard {
  to: number;
}

export interface Position {
  characters: bigint;
  next: number;
  /** How often the loop around it runs; 1 outside of loops. */
  most: number;
}

export interface Edge {
  to: number;
  characters: bigint;
}

/** A state has just read one of `characters`. `most`: how long its loops run. */
export interface State {
  characters: bigint;
  most: number;
  edges: Edge[];
  /** The guards behind which the pattern has matched. */
  ends: Guard[];
}

export interface Automaton {
  states: State[];
  /** Reads what stands before a match: a matcher begins again at each character. */
  search: number;
  starts: number[];
  all: bigint;
}

/** A pattern that is too large, or that no automaton can read. */
export class UnreadablePattern extends Error {}

const mostWays = 200_000;

/** Joins the ways without a character between two positions. A position that only some of its characters lead on from gets a state for them. */
export function connectStates({
  start,
  end,
  ways,
  reads,
  positions,
  free,
}: {
  start: number;
  end: number;
  ways: readonly (readonly Way[])[];
  reads: readonly (readonly number[])[];
  positions: readonly Position[];
  free: Guard;
}): Automaton {
  const all = free.before;
  let tried = 0;

  /** Each way once; `to` is a position, or -1 for a match. */
  function listWays(from: number): Way[] {
    const found: Way[] = [];
    const used = new Set<Way>();
    const follow = (at: number, guard: Guard) => {
      tried += 1;
      if (tried > mostWays) throw new UnreadablePattern('it has too many paths');
      if (at === end) found.push({ ...guard, to: -1 });
      for (const to of reads[at] ?? []) found.push({ ...guard, to });
      for (const way of ways[at] ?? []) {
        const joined = join(guard, way);
        const isPossible = (joined.before || joined.isAtStart) && (joined.after || joined.isAtEnd);
        if (used.has(way) || !isPossible) continue;
        used.add(way);
        follow(way.to, joined);
        used.delete(way);
      }
    };
    follow(from, free);
    return found;
  }

  const states: State[] = [];
  const addState = (characters: bigint, most: number) => states.push({ characters, most, edges: [], ends: [] }) - 1;
  const unbounded = { characters: all, next: start, most: Number.POSITIVE_INFINITY };
  const sources = [...positions, unbounded].map(({ characters, next, most }) => {
    const main = addState(characters, most);
    const variants = new Map([[characters, main]]);
    const leading = listWays(next).flatMap((way) => {
      const own = characters & way.before;
      if (own === 0n) return [];
      if (!variants.has(own)) variants.set(own, addState(own, most));
      return [{ way, state: variants.get(own) ?? main }];
    });
    return { main, leading, variants: [...variants.values()] };
  });
  const enter = (to: number, characters: bigint): Edge[] =>
    (sources[to]?.variants ?? []).flatMap((state) => {
      const common = characters & (states[state]?.characters ?? 0n);
      return common === 0n ? [] : [{ to: state, characters: common }];
    });
  for (const { leading } of sources) {
    for (const { way, state } of leading) {
      if (way.to === -1) states[state]?.ends.push(way);
      else states[state]?.edges.push(...enter(way.to, way.after));
    }
  }
  const search = sources.at(-1)?.main ?? 0;
  states[search]?.edges.push(...enter(sources.length - 1, all));
  const starts = listWays(start).flatMap((way) =>
    way.isAtStart && way.to !== -1 ? enter(way.to, way.after).map(({ to }) => to) : [],
  );
  return { states, search, starts: [search, ...starts], all };
}

const join = (a: Guard, b: Guard): Guard => ({
  before: a.before & b.before,
  after: a.after & b.after,
  isAtStart: a.isAtStart && b.isAtStart,
  isAtEnd: a.isAtEnd && b.isAtEnd,
  isExact: a.isExact && b.isExact,
});
