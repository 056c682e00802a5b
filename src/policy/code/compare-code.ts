import type { Comment, Node } from '@babel/types';
import type { EntryRules } from '../../docs/frameworks/edits/data-files.ts';
import { codeFiles } from '../../docs/frameworks/frameworks.ts';
import { createEntryCheck, quote } from '../data/entries.ts';
import { describePlaces, locate } from './describe-places.ts';
import { findRegions, type Regions } from './find-regions.ts';
import { printCode } from './print-code.ts';
import { type Entries, type Piece, readEntries } from './read-entries.ts';
import type { Region } from './region-marker.ts';
import { parseCode, type Syntax } from './syntax.ts';

export interface CodeToCompare {
  /** Its extension selects the dialect. */
  path: string;
  /** Its place in `codeFiles`. */
  file: number;
  before: string;
  after: string;
}

/** Why a change is refused, and what may change instead, for the model. */
export interface CodeRefusal {
  problem: string;
  /** What may change, with its lines in the base; empty: nothing. */
  places: string[];
  /** An entry of the base. */
  example?: string | undefined;
}

/**
 * Undefined if the trees differ only in the data of containers, and all new data is literal: then the change adds nothing that runs.
 * Comments may change.
 */
export function compareCode(input: CodeToCompare): CodeRefusal | undefined {
  try {
    return compare(input);
  } catch (error) {
    // The parser reads long chains without recursion; walking them needs the stack.
    if (error instanceof RangeError) return { problem: 'it nests too deeply', places: [] };
    throw error;
  }
}

function compare({ path, file, before, after }: CodeToCompare): CodeRefusal | undefined {
  const code = codeFiles[file];
  if (code === undefined) throw new Error(`there is no file ${file} of code`);
  const old = parseCode(before, path);
  if ('fault' in old) return { problem: `the file of the repository does not parse (${old.fault})`, places: [] };
  const oldRegions = findRegions(old, { code, path });
  const refuse = (problem: string): CodeRefusal => ({ problem, ...describePlaces(old, oldRegions, code) });
  const now = parseCode(after, path);
  if ('fault' in now) return refuse(`it does not parse: ${now.fault}`);
  const regions = findRegions(now, { code, path, base: oldRegions });
  const both = { old: { ...old, ...oldRegions }, now: { ...now, ...regions } };
  const problem = findDifference(both) ?? findBadData(both) ?? findBadComment(old, now);
  return problem === undefined ? undefined : refuse(problem);
}

interface Both {
  old: Syntax & Regions;
  now: Syntax & Regions;
}

/** Compares the code around the containers. */
function findDifference({ old, now }: Both): string | undefined {
  for (const [property, { canBeAdded }] of now.added) {
    const value = canBeAdded === 'async method' ? findReturned(property) : findValue(property);
    if (value === undefined || !now.byNode.has(value))
      return `${locate(now, property)} is more than a list or an object of literals`;
  }
  const expected = printCode(old.file.program, old);
  const found = printCode(now.file.program, now);
  const length = Math.max(expected.tokens.length, found.tokens.length);
  for (let index = 0; index < length; index += 1) {
    if (expected.tokens[index] === found.tokens[index]) continue;
    const start = found.starts[index] ?? found.starts.at(-1) ?? 0;
    return `${locate(now, { start })} would differ outside of entries`;
  }
  return undefined;
}

const findValue = (property: Node): Node | undefined =>
  property.type === 'ObjectProperty' && !property.shorthand ? property.value : undefined;

/** Of `async name() { return […] }`, and nothing else. https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects */
function findReturned(property: Node): Node | undefined {
  if (property.type !== 'ObjectMethod' || property.kind !== 'method') return undefined;
  const { async: isAsync, generator, computed, params, body, returnType, typeParameters, decorators } = property;
  const isBare = isAsync && !generator && !computed && params.length === 0 && body.directives.length === 0;
  if (!isBare || returnType || typeParameters || decorators?.length) return undefined;
  const [statement, ...others] = body.body;
  const value = statement?.type === 'ReturnStatement' && others.length === 0 ? statement.argument : undefined;
  return value?.type === 'ArrayExpression' ? value : undefined;
}

/** Checks what containers gain. */
function findBadData({ old, now }: Both): string | undefined {
  const [before, after] = [old, now].map(({ byNode, ...syntax }) =>
    Array.from(byNode.values(), (region) => ({ ...region, ...readEntries(region, syntax, { ...syntax, byNode }) })),
  );
  const found = after ?? [];
  return findBadPiece(before ?? [], found, now) ?? findBadEntry(before ?? [], found);
}

type Read = Entries & Region;

/** Finds a piece of code that occurs more often than in the base. */
function findBadPiece(before: readonly Read[], after: readonly Read[], now: Syntax): string | undefined {
  const left = new Map<string, number>();
  for (const { pieces } of before) for (const { name } of pieces) count(left, name, 1);
  for (const { pieces } of after) {
    const bad = pieces.find(({ name }) => count(left, name, -1) < 0);
    if (bad) return describePiece(now, bad);
  }
  return undefined;
}

function count(counts: Map<string, number>, name: string, step: number): number {
  const next = (counts.get(name) ?? 0) + step;
  counts.set(name, next);
  return next;
}

const describePiece = (now: Syntax, piece: Piece): string =>
  `${locate(now, piece)}: ${quote(now.text.slice(piece.start, piece.end))} may not be new. Write only texts, numbers, true, false, null, lists, and objects with plain keys, of which none loads or runs something`;

function findBadEntry(before: readonly Read[], after: readonly Read[]): string | undefined {
  const groups = Map.groupBy(after, ({ container, isArgument }) => `${isArgument} ${container.name}`);
  for (const entries of groups.values()) {
    const [first] = entries;
    if (first === undefined) continue;
    const alike = before.filter(
      ({ container, isArgument }) => container.name === first.container.name && isArgument === first.isArgument,
    );
    const check = createEntryCheck(
      alike.map(({ data }) => data),
      findRules(first),
    );
    const bad = check(entries.map(({ data }) => data));
    if (bad !== undefined) return `${bad} in ${first.container.name}`;
  }
  return undefined;
}

/** Arguments of functions, and containers known only by the name of an export, may gain entries with known keys only. */
function findRules({ container, isArgument }: Region): EntryRules {
  const { keys, values } = container;
  const isClosed = isArgument || container.at[0] instanceof RegExp;
  if (!isArgument) return { ...container, isClosed };
  const ofEntries = keys === 'any' ? ['label', 'title', 'link', 'href', 'to', 'items', 'id'] : keys;
  return { ...container, isClosed, keys: ofEntries, values: { ...values, '': () => false } };
}

function findBadComment(old: Syntax, now: Syntax): string | undefined {
  const comment = findNew(listDirectiveComments(old.comments, old.text), listDirectiveComments(now.comments, now.text));
  if (comment !== undefined) return `the comment ${quote(comment)} is new, and tools obey it`;
  const character = findNew(listOddCharacters(old.text), listOddCharacters(now.text));
  return character === undefined ? undefined : 'it would gain an invisible character; write it without';
}

/** The first item that `after` has more often. */
function findNew(before: readonly string[], after: readonly string[]): string | undefined {
  const left = new Map<string, number>();
  for (const item of before) count(left, item, 1);
  return after.find((item) => count(left, item, -1) < 0);
}

/** Comments that compilers, linters, bundlers and editors obey. */
const directives = [
  /@ts-|@jsx|@flow|@vite|@license|@preserve|@cc_on|[#@]__|<\s*(?:reference|amd-)|source(?:Mapping)?URL|@(?:jest|vitest)-/i,
  /(?:eslint|tslint|oxlint|biome|prettier|stylelint|deno|rome|cspell|istanbul|v8|c8|node:coverage)(?:-|:|\s+(?:ignore|disable|enable))/i,
  /(?:webpack|turbopack|rspack)[A-Z]/,
  /^\s*(?:eslint|jshint|jslint|globals?|exported)\s/i,
];

/** Includes `<!--`, which is a comment in scripts and code in modules. */
const listDirectiveComments = (comments: readonly Comment[], text: string): string[] =>
  comments.flatMap(({ value, start }) =>
    text[start ?? 0] !== '/' || directives.some((pattern) => pattern.test(value)) ? [value.trim()] : [],
  );

/** Characters that end a line for some parsers, are invisible, or reorder text. Without two joiners, which scripts need. */
const odd = /[^\P{Cc}\n\t]|[\u061C\u200B\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** A line break is `\n` or `\r\n`. */
const listOddCharacters = (text: string): string[] => text.replaceAll('\r\n', '\n').match(odd) ?? [];
