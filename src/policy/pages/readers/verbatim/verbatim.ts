import { blankFormulas } from '../formulas.ts';
import { findFence, type OpenFence } from './find-fence.ts';
import { createRawHtml, htmlLine } from './raw-html.ts';
import { blankSpans } from './spans.ts';
import type { VerbatimRules } from './verbatim-rules.ts';

interface Verbatim {
  /** The page, with blanks in place of what every reader only shows. As long as the page. */
  live: string;
  /** The same with inline code, as Vue reads it. */
  unfenced: string;
  fences: { info: string; body: string }[];
}

/** They end lines for some readers only. */
const oddLineEnds = /(?![\n\t\r])\p{Cc}|[\p{Zl}\p{Zp}]|\r(?!\n)/u;
const listItem = /^([-*+]|\d{1,9}[.)])( {1,4})(?=\S)/;
/** Jekyll takes tags of Liquid out before. */
const blankForKramdown = /^\s*(?:\{%[^%]*%\}\s*)?$/;
const divider = /^[-*_ ]{3,}$/;
const pythonBlock = /^(?:!!!|\?\?\?\+?|===[!+]?) /;
/** Below a paragraph with such a line, a block with four blanks may belong to it. */
const mayContinue = /^(?:[\s\-*+>:<!?=/[|~]|\d{1,9}[.)])/;
/**
 * Finds code that every reader takes for code: a block that is closed by the fence that opened it, in a place where no reader sees anything
 * else; an inline code within its line. Behind the first block that is not so, nothing counts as code.
 */
export function findVerbatim(text: string, rules: VerbatimRules): Verbatim {
  const lines = text.split('\n');
  if (oddLineEnds.test(text)) return { live: text, unfenced: text, fences: listAllFences(lines) };
  const { isMdx, readers } = rules;
  const isPython = readers.includes('python') && !isMdx;
  const isKramdown = readers.includes('kramdown') && !isMdx;
  const kept: string[] = [];
  const unfenced: string[] = [];
  const fences: Verbatim['fences'] = [];
  /** Where the text of each open list item begins. */
  let columns: number[] = [];
  const containerEnds = new Set<number>();
  let paragraph: string[] = [];
  const html = createRawHtml(rules);
  let previous = '';
  let mayGoOn = false;
  let isIndented = false;
  let at = frontMatterLines(lines);
  for (let line = 0; line < at; line += 1) keep(line);
  for (; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    const stripped = line.trimStart();
    const indent = line.length - stripped.length;
    if (stripped === '') {
      flush();
      html.endBlock();
      keep(at);
      continue;
    }
    const fence = containerEnds.has(at) ? undefined : findFence(line);
    if (fence !== undefined) {
      const mayBelong = paragraph.length > 0 && (mayGoOn || /[`~]/.test(paragraph.join()));
      flush();
      const end = isTrusted(fence, mayBelong) ? findEnd(fence) : undefined;
      if (end === undefined) {
        // Which of the marks below open a block, and which close one, depends on the reader.
        fences.push(...listAllFences(lines.slice(at)));
        const rest = lines.slice(at);
        return { live: [...kept, ...rest].join('\n'), unfenced: [...unfenced, ...rest].join('\n'), fences };
      }
      fences.push({ info: fence.info, body: lines.slice(at + 1, end).join('\n') });
      keep(at);
      if (fence.isContainer) {
        containerEnds.add(end);
        continue;
      }
      for (let inside = at + 1; inside <= end; inside += 1) drop(inside);
      at = end;
      previous = line;
      mayGoOn = mayContinue.test(line);
      continue;
    }
    const isCode =
      !isMdx &&
      !readers.includes('unindented') &&
      indent >= 4 &&
      !line.includes('\t') &&
      columns.length === 0 &&
      paragraph.length === 0 &&
      !html.isOpen() &&
      (isIndented || (previous !== '' && !mayGoOn));
    if (isCode) {
      isIndented = true;
      kept.push(blank(lines[at] ?? ''));
      unfenced.push(lines[at] ?? '');
      continue;
    }
    isIndented = false;
    mayGoOn = (paragraph.length > 0 && mayGoOn) || mayContinue.test(line);
    previous = line;
    readList(line, indent);
    html.readTags(line);
    paragraph.push(lines[at] ?? '');
  }
  flush();
  return { live: kept.join('\n'), unfenced: unfenced.join('\n'), fences };

  function keep(index: number): void {
    kept.push(lines[index] ?? '');
    unfenced.push(lines[index] ?? '');
  }

  function drop(index: number): void {
    kept.push(blank(lines[index] ?? ''));
    unfenced.push(blank(lines[index] ?? ''));
  }

  function flush(): void {
    if (paragraph.length === 0) return;
    const isHidden = isComment(paragraph);
    let isClear = true;
    for (const item of splitItems(paragraph)) {
      const isHtml = html.isRaw(item);
      const blanked = isHtml || !isClear ? undefined : blankSpans(item, { isKramdown });
      // Below a paragraph, Python-Markdown knows no list: a mark of code goes on.
      if (isPython && !isHtml && blanked === undefined) isClear = false;
      const shown = blanked ?? item;
      const spans = isHidden ? item.map(blank) : shown;
      kept.push(...blankFormulas(spans, isHtml ? undefined : rules.math));
      for (const line of spans) html.readText(line);
    }
    unfenced.push(...paragraph);
    paragraph = [];
  }

  /** A comment that is a block for itself, and ends for every reader at the same mark. */
  function isComment(lines: readonly string[]): boolean {
    const text = lines.join('\n').trimEnd();
    if (isMdx || html.isOpen() || !text.startsWith('<!--') || !text.endsWith('-->')) return false;
    return !/^-?>|--|<!|\{[{%]/.test(text.slice(4, -3));
  }

  function readList(line: string, indent: number): void {
    if (divider.test(line)) {
      columns = [];
      return;
    }
    const before = columns.length;
    const isLazy = paragraph.length > 0;
    if (!isLazy || listItem.test(line.trimStart())) columns = columns.filter((column) => column <= indent);
    const [, mark, gap = ''] = listItem.exec(line.slice(indent)) ?? [];
    if (mark !== undefined && (!isLazy || before > 0 || !/^\d/.test(mark) || /^1[.)]/.test(mark))) {
      if (indent - (columns.at(-1) ?? 0) <= 3) columns.push(indent + mark.length + gap.length);
    }
    if (isPython && !readers.includes('commonmark') && pythonBlock.test(line.slice(indent))) columns.push(indent + 4);
  }

  /** `mayBelong`: the paragraph above has marks of code, or is of a list or quote, and may go on. */
  function isTrusted({ quotes, indent, mark, info, hasTab, isListItem }: OpenFence, mayBelong: boolean): boolean {
    if (hasTab && !isMdx) return false;
    if (isListItem || (mark.startsWith('`') && info.includes('`'))) return false;
    // Behind a fence, kramdown knows one word. Without GitHub's rules it knows no backticks, and no blanks before a fence.
    if (isKramdown && /\s/.test(info)) return false;
    if (readers.includes('pandoc') && (mayBelong || quotes + indent > 0 || !pandocInfo.test(info))) return false;
    if (readers.includes('plain kramdown') && (mark.startsWith('`') || indent > 0)) return false;
    if (html.hidesFences()) return false;
    if (isKramdown && !blankForKramdown.test(lines[at - 1] ?? '')) return false;
    if (isPython && !isPythonInfo(info, readers.includes('superfences'))) return false;
    if (isPython && !readers.includes('superfences') && (indent > 0 || quotes > 0)) return false;
    if (isPython && quotes > 0 && /^\s/.test(lines[at] ?? '')) return false;
    const column = columns.filter((each) => each <= indent).at(-1) ?? 0;
    return isMdx || indent - column <= 3;
  }

  /** The line of the closing fence. */
  function findEnd({ quotes, indent, mark, isContainer }: OpenFence): number | undefined {
    const column = columns.filter((each) => each <= indent).at(-1) ?? 0;
    for (let line = at + 1; line < lines.length; line += 1) {
      const source = (lines[line] ?? '').replace(/\r$/, '');
      const inside = quotes === 0 ? source : source.replace(/^ {0,3}>/, '');
      if (quotes > 0 && inside === source) return undefined;
      const stripped = inside.replace(/^[\s>]+/, '');
      if (stripped === '') continue;
      const margin = source.replace(/^[\s>]+/, '').length;
      const depth = source.length - margin;
      if (depth < column || (!isMdx && indent > 3 && depth < indent)) return undefined;
      const close = /^(`{3,}|~{3,}|:{3,})\s*$/.exec(stripped)?.[1];
      if (close === undefined || close[0] !== mark[0] || close.length < mark.length) continue;
      const isSame = close.length === mark.length && findFence(source)?.indent === indent;
      return isSame || isContainer ? line : undefined;
    }
    return undefined;
  }
}

/** An item of a list ends the one before it, but what stands in HTML is no item. */
function splitItems(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  let column = -1;
  for (const line of lines) {
    const at = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) ? line.search(/\S/) : undefined;
    const [current] = items.slice(-1);
    const isItem = at !== undefined && (at <= column || !current?.some((each) => htmlLine.test(each)));
    if (current === undefined || isItem) {
      items.push([line]);
      column = at ?? -1;
    } else current.push(line);
  }
  return items;
}

/** Of a block of code for Pandoc: one word, or attributes. */
const pandocInfo = /^(?:[\w#.+-]*|\{[^{}]*\})$/;

const isPythonInfo = (info: string, isSuper: boolean): boolean =>
  /^[\w#.+-]*[ \t]*$/.test(info) ||
  /^\{[^{}]*\}[ \t]*$/.test(info) ||
  (isSuper && isOptions(info)) ||
  /^[\w#.+-]+ +hl_lines=(?:"[^"]*"|'[^']*')[ \t]*$/.test(info);

const isOptions = (info: string): boolean =>
  /^[\w#.+-]*[ \t]*$/.test(
    info.replace(/(?<![\w-])[\w-]{1,60}=(?:"[^"]{0,500}"|'[^']{0,500}'|[\w.-]{1,99})(?=\s|$)/g, ''),
  );

const listAllFences = (lines: readonly string[]): Verbatim['fences'] =>
  lines.flatMap((line, at) => {
    const fence = findFence(line.replace(/\r$/, ''));
    return fence === undefined || fence.info === ''
      ? []
      : [{ info: fence.info, body: lines.slice(at + 1, at + 50).join('\n') }];
  });

/** Front matter is read for itself. */
export function frontMatterLines(lines: readonly string[]): number {
  const fence = /^\uFEFF?(---|\+\+\+)[ \t]*\r?$/.exec(lines[0] ?? '')?.[1];
  if (fence === undefined) return 0;
  return lines.findIndex((line, at) => at > 0 && line.trimEnd() === fence) + 1;
}

const blank = (line: string): string => ' '.repeat(line.length);
