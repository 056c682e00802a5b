import type { JSXOpeningElement, Node } from 'estree-jsx';
import { blankHeadingIds } from '../../../../docs/formats/heading-ids.ts';
import { collapse, type Findings } from '../../page-code.ts';
import { blankQuotes, blankRanges } from '../blank.ts';
import type { Dialect } from '../dialect.ts';
import { scanFence } from '../directives.ts';
import { scanElement } from '../html/attributes.ts';
import { scanScript } from '../html/elements.ts';
import { listRawTags, type RawTag } from '../html/tags.ts';
import { nameComponent } from '../html/vue.ts';
import { addInclude, addTextInclude, readIncludeDirectives } from '../includes.ts';
import { evaluate, isEstreeNode, listStrings, type Scope } from '../literals.ts';
import { readPageYaml } from '../page-yaml.ts';
import { scanCopiedFiles, scanScriptLinks } from '../script-links.ts';
import { findVerbatim } from '../verbatim/verbatim.ts';
import { createMarkTest } from './mark-test.ts';
import { scanModule } from './modules.ts';
import { createExpressions, findLineEnd, listEsm } from './parse.ts';

/** A page that is compiled to a module: its modules, each brace, each tag. */
export function scanMdx(findings: Findings, page: string, { path, dialect }: { path: string; dialect: Dialect }): void {
  const text = blankHeadingIds(page);
  const { live, fences } = findVerbatim(text, { isMdx: true, readers: [], math: dialect.math });
  for (const fence of fences) scanFence(findings, fence, dialect);
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
  const modules = listEsm(live);
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
  scanModule(findings, programs, { text: live, path, data, components, scope });
  for (const { program, start, end } of modules) if (program === undefined) addModule(findings, live.slice(start, end));
  const inModule = modules.map(({ start, end }) => [start, end] as const);
  const start = lengthOfFrontMatter(live);
  const body = blankQuotes(blankRanges(' '.repeat(start) + live.slice(start), inModule));
  const expressions = createExpressions(body);
  const tags = [...listRawTags(body, (brace) => expressions.find(brace)?.end)].filter(
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
    // Where too many are left unread, the rest of the page counts as one.
    const isLast = expression === undefined && expressions.isSpent();
    const end = isLast ? body.length : (expression?.end ?? Math.min(findLineEnd(body, at), at + 400));
    inExpressions.push(...findHidden([{ start: at, end }]));
    found.push({ source: body.slice(at, end), node: expression?.node });
    // Where the text around it may be code, it may be code, too, up to a place within it.
    const isRead = expression !== undefined && isClearAt(at);
    if (isRead && isText(expression.node)) texts.push([at, end]);
    at = isRead || isLast ? end : at + 1;
  }
  if (inExpressions.length > 0) return inExpressions;
  for (const { source, node } of found) {
    // Where a formula ends in it, what follows is an expression.
    if (
      source
        .split('$')
        .slice(1)
        .some((part) => part.includes('{')) ||
      (node === undefined ? !/^\{\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*)?\}$/.test(source) : !isPlain(node))
    ) {
      findings.add('expression', node === undefined ? source : `{${collapse(source.slice(1, -1))}}`);
    }
  }
  const isInText = createRangeTest([...quoted, ...texts]);
  let scriptEnd = 0;
  for (const tag of tags) {
    readTag(findings, tag, { text, components, isInText: isInText(tag.start) });
    if (tag.start >= scriptEnd) scriptEnd = scanScript(findings, tag, text);
  }
  readIncludeDirectives(findings, body);
  scanScriptLinks(findings, body);
  if (dialect.copiesFiles) scanCopiedFiles(findings, body, path);
  findings.addAddresses(body);
  return [];

  function isPlain(node: Node): boolean {
    const evaluated = evaluate(node, scope);
    if (evaluated === undefined) return false;
    for (const [name, value] of listStrings(evaluated.value))
      scanElement(findings, { tag: null, attributes: [[name, value]] });
    return true;
  }

  /** Of an element in a module, which the tags of the page do not have. */
  function readOpening(node: JSXOpeningElement): void {
    const attributes = node.attributes.flatMap((attribute): RawTag['attributes'] => {
      if (attribute.type !== 'JSXAttribute') return [];
      const value = attribute.value?.type === 'Literal' ? String(attribute.value.value) : null;
      return [[slice(attribute.name, live), value]];
    });
    const [start, end] = 'start' in node && 'end' in node ? [Number(node.start), Number(node.end)] : [0, 0];
    const tag: RawTag = { name: slice(node.name, live), attributes, start, end, quoted: [], isWhole: true };
    readTag(findings, tag, { text: live, components, isInText: false });
    scanScript(findings, tag, live);
  }

  /** Expressions in elements within an expression are not found in the source. */
  function readInside(root: Node): void {
    const open: unknown[] = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!isEstreeNode(node)) continue;
      const isEmpty = node.type === 'JSXExpressionContainer' && node.expression.type === 'JSXEmptyExpression';
      if (node.type === 'JSXExpressionContainer' && !isEmpty) {
        if (!isPlain(node.expression)) findings.add('expression', `{${collapse(slice(node.expression, live))}}`);
      } else if (node.type.startsWith('JSXSpread')) {
        findings.add('expression', collapse(slice(node, live)));
      } else if (node.type.startsWith('JSX')) {
        if (node.type === 'JSXOpeningElement') readOpening(node);
        for (const part of Object.values(node)) open.push(...(Array.isArray(part) ? part : [part]));
      }
    }
  }
}

function readTag(
  findings: Findings,
  tag: RawTag,
  { text, components, isInText }: { text: string; components: ReadonlySet<string>; isInText: boolean },
): void {
  const { name, start, end } = tag;
  const root = name.split(/[.:]/)[0] ?? name;
  const isComponent = name.includes('.') || /^[^a-z]/.test(name);
  // What a component gets may be an attribute of its HTML, or an address in any name.
  const attributes = tag.attributes.map(([key, value]) => [key, value ?? ''] as const);
  scanElement(findings, { tag: isComponent ? null : name, attributes });
  // https://fumadocs.dev/docs/ui/components/auto-type-table
  const [, source = null] = tag.attributes.find(([key]) => name === 'auto-type-table' && key === 'path') ?? [];
  if (source !== null) addInclude(findings, '<auto-type-table>', source);
  if (name === 'include') {
    const inside = text.slice(end, end + 300);
    // Without its end, it is no path.
    addTextInclude(findings, '<include>', /^(.*?)<\/include/s.exec(inside)?.[1] ?? `<${inside}`);
  }
  // A component may make HTML of a text, but no component.
  if (isComponent && !isInText && !components.has(root) && text[start + 1] !== '/')
    findings.add('component', nameComponent(root), { clue: `<${root}`, shown: `<${root}>` });
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

function addModule(findings: Findings, source: string): void {
  findings.add(source.startsWith('import') ? 'import' : 'export', source);
}

const slice = (node: Node, text: string): string =>
  'start' in node && 'end' in node ? text.slice(Number(node.start), Number(node.end)) : node.type;

const maxFrontMatter = 50_000;

/** Of YAML that every reader takes out; what one of them cannot read, it leaves in the page. */
function lengthOfFrontMatter(text: string): number {
  const [whole = '', source = ''] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  // Parsers differ about tags, aliases and tabs.
  if (source.length > maxFrontMatter || /\t|(?:^|[\s:[{,-])[!*&%]|<</.test(source)) return 0;
  const values = readPageYaml(source);
  return typeof values === 'object' && values !== null && !Array.isArray(values) ? whole.length : 0;
}

const isEscaped = (text: string, at: number): boolean => text[at - 1] === '\\' && text[at - 2] !== '\\';
