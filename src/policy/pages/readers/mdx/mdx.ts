import { Parser, type Program } from 'acorn';
import jsx from 'acorn-jsx';
import type { Program as JsxProgram, Node } from 'estree-jsx';
import { blankHeadingIds } from '../../../../docs/formats/heading-ids.ts';
import { collapse, type Findings } from '../../page-code.ts';
import { readScriptLinks } from '../addresses.ts';
import { readCopiedFiles } from '../copied-files.ts';
import type { Dialect } from '../dialect.ts';
import { readElement } from '../html/attributes.ts';
import { readScript } from '../html/elements.ts';
import { listTags, type Tag } from '../html/tags.ts';
import { nameComponent } from '../html/vue.ts';
import { evaluate, listStrings, type Scope } from '../literals.ts';
import { addInclude } from '../templates.ts';
import { readFence } from '../verbatim/fences.ts';
import { countFrontMatter } from '../verbatim/front-matter-lines.ts';
import { blankQuotes } from '../verbatim/quotes.ts';
import { findVerbatim } from '../verbatim/verbatim.ts';
import { createMarkTest } from './mark-test.ts';
import { readModule } from './modules.ts';

const parser = Parser.extend(jsx());
const options = { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true } as const;

/** A page that is compiled to a module: its modules, each brace, each tag. */
export function readMdx(findings: Findings, page: string, { path, dialect }: { path: string; dialect: Dialect }): void {
  const text = blankHeadingIds(page);
  const { live, fences } = findVerbatim(text, { isMdx: true, readers: [], math: dialect.math });
  for (const { info, body } of fences) readFence(findings, info, body);
  let shown = live;
  for (let step = 0; step < mostSteps; step += 1) {
    const hidden = readCode(findings, shown, text, { path, dialect });
    if (hidden.length === 0) return;
    for (const [start, end] of hidden) shown = shown.slice(0, start) + text.slice(start, end) + shown.slice(end);
  }
  readCode(findings, text, text, { path, dialect });
}

/** How often what holds code may hold more, once the code in it is read. */
const mostSteps = 3;

/**
 * Where what runs holds code that `live` leaves out, as a tag with marks of code in a text: nothing is added then, and that code is no code.
 * Its marks are pairs, so that what stands around it stays what it is.
 */
function readCode(
  findings: Findings,
  live: string,
  text: string,
  { path, dialect }: { path: string; dialect: Dialect },
): Hidden[] {
  const isWhole = live === text;
  const modules = listModules(live);
  const findHidden = (parts: readonly { start: number; end: number }[]): Hidden[] =>
    parts.flatMap(({ start, end }) =>
      !isWhole && live.slice(start, end) !== text.slice(start, end) ? [[start, Math.min(end, text.length)]] : [],
    );
  const inModules = findHidden(modules);
  if (inModules.length > 0) return inModules;

  const programs = modules.flatMap(({ program }) => program ?? []);
  const data = new Set<string>();
  const components = new Set(dialect.components);
  const scope: Scope = { isAsset: (name) => data.has(name), readElement: readInside };
  readModule(findings, programs, { text: live, path, data, components, scope });
  const start = lengthOfFrontMatter(live);
  const kept = [' '.repeat(start)];
  let from = start;
  for (const each of modules) {
    if (each.program === undefined) addModule(findings, live.slice(each.start, each.end));
    kept.push(live.slice(from, Math.max(from, each.start)), blank(live.slice(Math.max(from, each.start), each.end)));
    from = Math.max(from, each.end);
  }
  const body = blankQuotes(kept.join('') + live.slice(from));
  const expressions = createExpressions(body);
  const tags = [...listTags(body, (brace) => expressions.find(brace)?.end)].filter(
    ({ start: at }) => !isEscaped(body, at),
  );
  const inTags = findHidden(tags);
  if (inTags.length > 0) return inTags;
  const marks = dialect.math === undefined ? '`' : '`$';
  const isClear = createMarkTest(body, marks);
  const clear = tags.filter((tag) => tag.isWhole && isClear(tag.start));
  const quoted = clear.flatMap((tag) => tag.quoted).toSorted(([a], [b]) => a - b);

  const found: { source: string; node: Node | undefined }[] = [];
  const isClearAt = createMarkTest(body, marks);
  const inExpressions: Hidden[] = [];
  const texts: Hidden[] = [];
  let next = 0;
  for (let at = body.indexOf('{'); at !== -1; at = body.indexOf('{', at)) {
    while ((quoted[next]?.[1] ?? Infinity) <= at) next += 1;
    const [from = Infinity, to = 0] = quoted[next] ?? [];
    if (from <= at && !isWhole) {
      at = to;
      continue;
    }
    if (isEscaped(body, at)) {
      at += 1;
      continue;
    }
    const expression = expressions.find(at);
    const end = expression?.end ?? Math.min(findLineEnd(body, at), at + 400);
    inExpressions.push(...findHidden([{ start: at, end }]));
    found.push({ source: body.slice(at, end), node: expression?.node });
    // Where the text around it may be code, it may be code, too, up to a place within it.
    const isRead = expression !== undefined && isClearAt(at);
    if (isRead && isText(expression.node)) texts.push([at, end]);
    at = isRead ? end : at + 1;
  }
  if (inExpressions.length > 0) return inExpressions;
  for (const { source, node } of found) {
    // Where a formula ends in it, what follows is an expression.
    if (
      source
        .split('$')
        .slice(1)
        .some((part) => part.includes('{')) ||
      (node === undefined ? !/^\{\s*(?:\/\*[\s\S]*\*\/\s*)?\}$/.test(source) : !isPlain(node))
    ) {
      findings.add('expression', node === undefined ? source : `{${collapse(source.slice(1, -1))}}`);
    }
  }
  const isInText = createRangeTest([...quoted, ...texts]);
  let scriptEnd = 0;
  for (const tag of tags) {
    readTag(findings, tag, { text, components, isInText: isInText(tag.start) });
    if (tag.start >= scriptEnd) scriptEnd = readScript(findings, tag, text);
  }
  readScriptLinks(findings, body);
  if (dialect.copiesFiles) readCopiedFiles(findings, body, path);
  findings.addAddresses(body);
  return [];

  function isPlain(node: Node): boolean {
    const evaluated = evaluate(node, scope);
    if (evaluated === undefined) return false;
    for (const [name, value] of listStrings(evaluated.value))
      readElement(findings, { tag: null, attributes: [[name, value]] });
    return true;
  }

  /** Tags are found in the source; expressions in elements within an expression are not. */
  function readInside(root: Node): void {
    const open: unknown[] = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!isNode(node)) continue;
      const isEmpty = node.type === 'JSXExpressionContainer' && node.expression.type === 'JSXEmptyExpression';
      if (node.type === 'JSXExpressionContainer' && !isEmpty) {
        if (!isPlain(node.expression)) findings.add('expression', `{${collapse(slice(node.expression, live))}}`);
      } else if (node.type.startsWith('JSXSpread')) {
        findings.add('expression', collapse(slice(node, live)));
      } else if (node.type.startsWith('JSX')) {
        for (const part of Object.values(node)) open.push(...(Array.isArray(part) ? part : [part]));
      }
    }
  }
}

function readTag(
  findings: Findings,
  tag: Tag,
  { text, components, isInText }: { text: string; components: ReadonlySet<string>; isInText: boolean },
): void {
  const { name, start, end } = tag;
  const root = name.split(/[.:]/)[0] ?? name;
  const isComponent = name.includes('.') || /^[^a-z]/.test(name);
  // What a component gets may be an attribute of its HTML, or an address in any name.
  const attributes = tag.attributes.map(([key, value]) => [key, value ?? ''] as const);
  readElement(findings, { tag: isComponent ? null : name, attributes });
  if (name === 'include') addInclude(findings, '<include>', text.slice(end, text.indexOf('<', end)));
  // A component may make HTML of a text, but no component.
  if (isComponent && !isInText && !components.has(root) && text[start + 1] !== '/') {
    findings.add('component', nameComponent(root), { clue: `<${root}`, shown: `<${root}>` });
  }
}

/** Places are asked in their order. */
function createRangeTest(ranges: readonly (readonly [start: number, end: number])[]): (at: number) => boolean {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  let next = 0;
  return (at) => {
    while ((sorted[next]?.[1] ?? Infinity) <= at) next += 1;
    return (sorted[next]?.[0] ?? Infinity) <= at;
  };
}

const isText = (node: Node | undefined): boolean =>
  node?.type === 'Literal' || (node?.type === 'TemplateLiteral' && node.expressions.length === 0);

type Hidden = [start: number, end: number];

interface Module {
  start: number;
  end: number;
  /** Undefined: it does not parse. */
  program: JsxProgram | undefined;
}

const maxParses = 400;

/** Each from a line that begins like one, to the first blank line where it parses. */
function listModules(text: string): Module[] {
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

function addModule(findings: Findings, source: string): void {
  findings.add(source.startsWith('import') ? 'import' : 'export', source);
}

/** What the brace at a place opens, parsed once, and not for longer than the page allows in all. */
function createExpressions(text: string) {
  const known = new Map<number, { end: number; node: Node } | undefined>();
  const lastComment = text.lastIndexOf('*/');
  let left = 200_000 + 8 * text.length;
  return {
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
    try {
      const node: unknown = parser.parseExpressionAt(source, 0, options);
      if (!isNode(node) || !('end' in node) || typeof node.end !== 'number') return undefined;
      left -= Math.max(node.end, leastCost);
      const close = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)*\}/.exec(source.slice(node.end, node.end + 2_000));
      if (close === null) return undefined;
      const end = brace + 1 + node.end + close[0].length;
      shift(node, brace + 1);
      return { end, node };
    } catch (error) {
      const read = error instanceof SyntaxError && 'raisedAt' in error ? Number(error.raisedAt) : source.length;
      left -= Math.max(read, leastCost);
      return undefined;
    }
  }
}

const mostBlanks = 200;
/** In characters: of a parse, however short. */
const leastCost = 200;
/** No literal of a page is longer. */
const maxExpression = 60_000;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const isProgram = (value: unknown): value is JsxProgram => isNode(value) && value.type === 'Program';

const slice = (node: Node, text: string): string =>
  'start' in node && 'end' in node ? text.slice(Number(node.start), Number(node.end)) : node.type;

function lengthOfFrontMatter(text: string): number {
  const lines = text.split('\n');
  return lines.slice(0, countFrontMatter(lines) ?? 0).reduce((sum, line) => sum + line.length + 1, 0);
}

const isEscaped = (text: string, at: number): boolean => text[at - 1] === '\\' && text[at - 2] !== '\\';

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Where the next blank line begins, or the text ends. */
function findBlank(text: string, from: number): number {
  const blankLine = /\n[^\S\n]*(?=\n)/g;
  blankLine.lastIndex = from;
  return blankLine.exec(text)?.index ?? text.length;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
