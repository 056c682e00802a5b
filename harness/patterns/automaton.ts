import { type CharSet, JS } from 'refa';
import { createAlphabet } from './alphabet.ts';
import {
  type Automaton,
  connectStates,
  type Guard,
  type Position,
  UnreadablePattern,
  type Way,
} from './connect-states.ts';

/** Counted parts up to this length are written out, longer ones become loops that run at most so often. */
const mostWrittenOut = 64;

type Node = JS.ParseResult['expression'] | Element;
type Element = JS.ParseResult['expression']['alternatives'][number]['elements'][number];
type Alternatives = JS.ParseResult['expression']['alternatives'];

/**
 * Reads a pattern as a nondeterministic automaton without empty steps (Glushkov's), with a state that searches for the start of a match. The
 * automaton follows every path that a backtracking matcher could, also those inside of lookaheads, and perhaps more.
 */
export function createAutomaton({ source, flags }: { source: string; flags: string }): Automaton {
  const { expression, maxCharacter } = parse(source, flags);
  const { maskOf, all } = createAlphabet(listSets(expression), maxCharacter);
  const free: Guard = { before: all, after: all, isAtStart: true, isAtEnd: true, isExact: true };
  const ways: Way[][] = [];
  const reads: number[][] = [];
  const positions: Position[] = [];
  let most = 1;

  const addNode = () => {
    reads.push([]);
    return ways.push([]) - 1;
  };
  const connect = (from: number, to: number, guard: Guard = free) => ways[from]?.push({ ...guard, to });

  function addAlternatives(alternatives: Alternatives, from: number, to: number): void {
    for (const { elements } of alternatives) {
      let at = from;
      for (const element of elements) {
        const next = addNode();
        addElement(element, at, next);
        at = next;
      }
      connect(at, to);
    }
  }

  function addElement(element: Element, from: number, to: number): void {
    switch (element.type) {
      case 'CharacterClass':
        reads[from]?.push(positions.push({ characters: maskOf(element.characters), next: to, most }) - 1);
        return;
      case 'Alternation':
        addAlternatives(element.alternatives, from, to);
        return;
      case 'Assertion':
        addAssertion(element, from, to);
        return;
      case 'Quantifier':
        addQuantifier(element, from, to);
        return;
      case 'Unknown':
        throw new UnreadablePattern('it has a backreference');
    }
  }

  function addAssertion(assertion: Extract<Element, { type: 'Assertion' }>, from: number, to: number): void {
    const { alternatives, kind, negate } = assertion;
    const isAhead = kind === 'ahead';
    const only = findOnlyCharacters(alternatives);
    const edge = negate ? undefined : findEdgeCharacters(alternatives, isAhead);
    const characters = only === undefined ? edge : negate ? all & ~only : only;
    connect(from, to, {
      ...free,
      ...(characters !== undefined && (isAhead ? { after: characters } : { before: characters })),
      ...(characters !== undefined && (isAhead ? { isAtEnd: negate } : { isAtStart: negate })),
      isExact: only !== undefined,
    });
    if (measure(alternatives) <= mostWrittenOut) return;
    if (!isAhead) throw new UnreadablePattern('it has a lookbehind of any length');
    const start = addNode();
    connect(from, start);
    addAlternatives(alternatives, start, addNode());
  }

  function addQuantifier(quantifier: Extract<Element, { type: 'Quantifier' }>, from: number, to: number): void {
    const { alternatives, min, max } = quantifier;
    const size = countReads(alternatives);
    let at = from;
    const repeat = (times: number, isOptional: boolean) => {
      for (let left = times; left > 0; left -= 1) {
        if (isOptional) connect(at, to);
        const next = addNode();
        addAlternatives(alternatives, at, next);
        at = next;
      }
    };
    repeat(size * min <= mostWrittenOut ? min : 1, false);
    if (size * max <= mostWrittenOut) {
      repeat(max - min, true);
      connect(at, to);
      return;
    }
    const outer = most;
    most *= max;
    const head = addNode();
    connect(at, head);
    const back = addNode();
    addAlternatives(alternatives, head, back);
    connect(back, head);
    connect(head, to);
    most = outer;
  }

  /** Of alternatives of one character each. */
  function findOnlyCharacters(alternatives: Alternatives): bigint | undefined {
    let characters = 0n;
    for (const { elements } of alternatives) {
      const [first, ...others] = elements;
      const found = first && others.length === 0 ? charactersOf(first, findOnlyCharacters) : undefined;
      if (found === undefined) return undefined;
      characters |= found;
    }
    return characters;
  }

  /** The characters that may stand at that end; undefined where there may be none. */
  function findEdgeCharacters(alternatives: Alternatives, isFirst: boolean): bigint | undefined {
    let characters = 0n;
    for (const { elements } of alternatives) {
      let isFound = false;
      for (const element of isFirst ? elements : elements.toReversed()) {
        if (element.type === 'Assertion') continue;
        const inside = (inner: Alternatives) => findEdgeCharacters(inner, isFirst);
        const found = element.type === 'Quantifier' ? inside(element.alternatives) : charactersOf(element, inside);
        if (found === undefined) return undefined;
        characters |= found;
        isFound = element.type !== 'Quantifier' || element.min > 0;
        if (isFound) break;
      }
      if (!isFound) return undefined;
    }
    return characters;
  }

  function charactersOf(element: Element, inside: (inner: Alternatives) => bigint | undefined): bigint | undefined {
    if (element.type === 'CharacterClass') return maskOf(element.characters);
    return element.type === 'Alternation' ? inside(element.alternatives) : undefined;
  }

  const start = addNode();
  const end = addNode();
  addAlternatives(expression.alternatives, start, end);
  return connectStates({ start, end, ways, reads, positions, free });
}

function parse(source: string, flags: string): JS.ParseResult {
  try {
    return JS.Parser.fromLiteral({ source, flags }).parse({ backreferences: 'unknown', assertions: 'parse' });
  } catch (cause) {
    throw new UnreadablePattern('it is too large or no regular expression', { cause });
  }
}

function listSets(node: Node): CharSet[] {
  if (node.type === 'CharacterClass') return [node.characters];
  if (node.type === 'Unknown') return [];
  return node.alternatives.flatMap(({ elements }) => elements.flatMap(listSets));
}

/** The most characters that they may read. */
const measure = (alternatives: Alternatives): number =>
  Math.max(0, ...alternatives.map(({ elements }) => elements.reduce((sum, element) => sum + lengthOf(element), 0)));

function lengthOf(element: Element): number {
  if (element.type === 'CharacterClass') return 1;
  if (element.type === 'Alternation') return measure(element.alternatives);
  if (element.type === 'Assertion') return 0;
  if (element.type === 'Unknown') return Number.POSITIVE_INFINITY;
  const inside = measure(element.alternatives);
  return inside === 0 ? 0 : inside * element.max;
}

const countReads = (alternatives: Alternatives): number =>
  Math.max(
    1,
    alternatives.flatMap(({ elements }) => elements).reduce((sum, element) => sum + countOf(element), 0),
  );

function countOf(element: Element): number {
  if (element.type === 'CharacterClass' || element.type === 'Unknown') return 1;
  const inside = countReads(element.alternatives);
  return element.type === 'Quantifier' && inside * element.max <= mostWrittenOut ? inside * element.max : inside;
}
