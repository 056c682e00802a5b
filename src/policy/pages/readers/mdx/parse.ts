import { Parser, type Program } from 'acorn';
import jsx from 'acorn-jsx';
import type { Program as JsxProgram, Node } from 'estree-jsx';
import { isEstreeNode } from '../literals.ts';

const parser = Parser.extend(jsx());
const options = { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true } as const;

interface Module {
  start: number;
  end: number;
  /** Undefined: it does not parse. */
  program: JsxProgram | undefined;
}

const maxParses = 400;

/** Each from a line that begins like one, to the first blank line where it parses. */
export function listEsm(text: string): Module[] {
  const found: Module[] = [];
  const begin = /^(?:import|export)(?=[\s{*'"])/gm;
  let parses = maxParses;
  for (let start = begin.exec(text)?.index; start !== undefined; start = begin.exec(text)?.index) {
    let program: JsxProgram | undefined;
    let end = start;
    for (let steps = 0; parses > 0 && program === undefined && steps < 20 && end < text.length; steps += 1) {
      end = findBlank(text, end + 1);
      parses -= 1;
      program = parseModule(text, start, end);
    }
    if (program === undefined) {
      // Prose may begin with such a word.
      end = findLineEnd(text, start);
      if (
        !/^(?:import\s*(?:['"{*]|[\w$]+\s*(?:,|\bfrom\b))|export\s*(?:[{*]|default\b|const\b|let\b|var\b|function\b|async\b|class\b))/.test(
          text.slice(start, end),
        )
      )
        continue;
    }
    found.push({ start, end, program });
    begin.lastIndex = Math.max(end, start + 1);
  }
  return found;
}

/** Its nodes have their places in the page. */
function parseModule(text: string, start: number, end: number): JsxProgram | undefined {
  try {
    const program: Program = parser.parse(text.slice(start, end), options);
    shift(program, start);
    return isProgram(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function shift(root: object, by: number): void {
  const open: unknown[] = [root];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('start' in node && typeof node.start === 'number') node.start += by;
    if ('end' in node && typeof node.end === 'number') node.end += by;
    for (const part of Object.values(node))
      if (typeof part === 'object') open.push(...(Array.isArray(part) ? part : [part]));
  }
}

/** What the brace at a place opens, parsed once, and not for longer than the page allows in all. */
export function createExpressions(text: string) {
  const known = new Map<number, { end: number; node: Node } | undefined>();
  const lastComment = text.lastIndexOf('*/');
  let left = 100_000 + 2 * text.length;
  return {
    /** Nothing more is parsed. */
    isSpent: () => left <= 0,
    find(brace: number): { end: number; node: Node } | undefined {
      if (known.has(brace)) return known.get(brace);
      const found = parse(brace);
      known.set(brace, found);
      return found;
    },
  };

  /** The end of braces with nothing in them, or a comment. */
  function findNothing(brace: number): number | undefined {
    const [open = ''] = /^\{\s*/.exec(text.slice(brace, brace + mostBlanks)) ?? [];
    let at = brace + open.length;
    if (text.startsWith('/*', at)) {
      if (at + 2 > lastComment) return undefined;
      at = text.indexOf('*/', at + 2) + 2;
    }
    const close = /^\s*\}/.exec(text.slice(at, at + mostBlanks));
    return close === null ? undefined : at + close[0].length;
  }

  function parse(brace: number): { end: number; node: Node } | undefined {
    if (left <= 0) return undefined;
    const end = findNothing(brace);
    if (end !== undefined) return { end, node: { type: 'Literal', value: null } };
    const source = text.slice(brace + 1, brace + maxExpression);
    const deep = findDeep(source);
    if (deep !== undefined) left -= deep;
    if (deep !== undefined) return undefined;
    try {
      const node: unknown = parser.parseExpressionAt(source, 0, options);
      if (!isEstreeNode(node) || !('end' in node) || typeof node.end !== 'number') return undefined;
      left -= Math.max(node.end, leastCost);
      const close = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)*\}/.exec(source.slice(node.end, node.end + 2_000));
      if (close === null) return undefined;
      const end = brace + 1 + node.end + close[0].length;
      shift(node, brace + 1);
      return { end, node };
    } catch (error) {
      // A comment without an end is searched up to the end of the text.
      const isRead = error instanceof SyntaxError && 'raisedAt' in error && !error.message.includes('comment');
      left -= Math.max(isRead ? Number(error.raisedAt) : source.length, leastCost);
      return undefined;
    }
  }
}

/** Where brackets are too many levels deep for the stack of the parser. Undefined: nowhere. */
function findDeep(source: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < source.length && depth >= 0; at += 1) {
    const character = source[at] ?? '';
    if ('{[('.includes(character)) depth += 1;
    else if ('}])'.includes(character)) depth -= 1;
    if (depth > mostLevels) return at;
  }
  return undefined;
}

const mostLevels = 250;
const mostBlanks = 200;
/** In characters: of a parse, however short. */
const leastCost = 200;
/** No literal of a page is longer. */
const maxExpression = 60_000;

const isProgram = (value: unknown): value is JsxProgram => isEstreeNode(value) && value.type === 'Program';

export function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Where the next blank line begins, or the text ends. */
function findBlank(text: string, from: number): number {
  const blankLine = /\n[^\S\n]*(?=\n)/g;
  blankLine.lastIndex = from;
  return blankLine.exec(text)?.index ?? text.length;
}
