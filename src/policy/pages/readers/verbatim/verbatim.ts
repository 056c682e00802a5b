import { blank } from '../blank.ts';
import type { MarkdownReader } from '../dialect.ts';
import { blankFormulas } from '../formulas.ts';
import { countFrontMatter } from './front-matter-lines.ts';
import { createRawHtml, isHtmlLine } from './raw-html.ts';
import { blankSpans } from './spans.ts';
import { createFenceTest, findFence, findNestedFence, type OpenFence } from './trust-fence.ts';

/** Who reads a page, as far as it matters to what is code. */
interface VerbatimRules {
  isMdx: boolean;
  readers: readonly MarkdownReader[];
  math: 'blocks' | 'inline' | undefined;
}

export interface Verbatim {
  /** The page, with blanks in place of what every reader only shows. As long as the page. */
  live: string;
  /** The same with inline code, as Vue reads it. */
  readUnfenced(): string;
  fences: { info: string; body: string }[];
}

/** Controls but a tab and the end of a line, and separators of lines: some end lines for some readers. */
export const control = /[^\t\n -~\u00a0-\u2027\u202a-\uffff]/;
/** Blanks of Unicode, for some readers only. */
const oddMargin = /^[ \t>]*(?![ \t])\s/;
/** A paragraph that no list, quote, definition or table can go on from. */
const plainLine = /^(?!\w{1,9}[.)][ \t])[\p{L}#`"'(]/u;
/** MkDocs takes it out: https://www.mkdocs.org/user-guide/writing-your-docs/#multimarkdown-style-meta-data */
const metadata = /^ {0,3}[\w-]+:/;
/** Of a table, for Pandoc: its columns cut marks of code. */
const columns = /^[ \t]*(?:-+(?:[ \t]+-+)+[ \t]*$|\+[-=:]+\+)/;

const containerMark = /^[\s>]{0,99}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}){0,9}(:{3,99})(?!:)[ \t]{0,99}([^ \t]?)/;

/**
 * Finds code that every reader takes for code: a block whose lines all begin like the fence that opens and the one that closes it; an inline
 * code within its line. Behind the first place where readers may differ, nothing counts as code.
 */
export function findVerbatim(text: string, { isMdx, readers, math }: VerbatimRules): Verbatim {
  const lines = text.split('\n');
  const kept: string[] = [];
  const unfenced: string[] = [];
  const fences: Verbatim['fences'] = [];
  const isKnown = (reader: MarkdownReader) => !isMdx && readers.includes(reader);
  const [isPython, isKramdown, isPandoc] = [isKnown('python'), isKnown('kramdown'), isKnown('pandoc')];
  const isCommonMark = !isMdx && readers.every((reader) => reader === 'commonmark');
  const html = createRawHtml({ isMdx, readers });
  const mayTrust = createFenceTest(lines, { isMdx, readers });
  /** Where the directives of MyST around a line end. */
  const ends: number[] = [];
  /** How many colons the open containers have, and the fewest up to each. */
  const containers: { colons: number; fewest: number }[] = [];
  let paragraph: string[] = [];
  let holdsHtml = false;
  let isPlain = false;
  /** A block of mathematics may go on. */
  let isFormula = false;
  const hasOddBlank = /[^\S \t\n]/.test(text);
  const start = countFrontMatter(lines);
  if (start === undefined || control.test(text)) return leave(0);
  for (let at = 0; at < start; at += 1) keep(at, 'shown');
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (ends.at(-1) === at) {
      flush();
      ends.pop();
      keep(at, 'shown');
      continue;
    }
    // A mark of the order of bytes before a word changes nothing.
    if (hasOddBlank && oddMargin.test(line) && !(at === 0 && /^\uFEFF[\w#-]/.test(line))) return leave(at);
    // For mdsvex, HTML goes on behind a line with blanks.
    const goesOn = line !== '' && holdsHtml && readers.includes('unindented');
    if (/^[ \t]*$/.test(line) && !goesOn) {
      flush();
      html.endBlock();
      keep(at, 'shown');
      continue;
    }
    const hasMark = line.includes('```') || line.includes('~~~') || line.includes(':::');
    const fence = hasMark ? findFence(line) : undefined;
    if (fence === undefined) {
      if ((isPandoc && columns.test(line)) || (hasMark && hasFence(line))) return leave(at);
      const isCode = isPlain && paragraph.length === 0 && /^ {4}[^\t]*$/.test(line);
      if (isCode && !isMdx && !isPandoc && !readers.includes('unindented') && !html.isOpen()) {
        keep(at, 'span');
        continue;
      }
      isPlain = (isPlain || paragraph.length === 0) && plainLine.test(line);
      if (isPython && at === 0 && metadata.test(line)) isPlain = false;
      if (hasMark) readContainer(line);
      html.readTags(line);
      paragraph.push(line);
      holdsHtml ||= isHtmlLine(line);
      continue;
    }
    const above = paragraph;
    flush();
    const isTrusted = !isFormula && !html.hidesFences() && mayTrust(fence, { at, above, isPlain });
    const end = isTrusted ? findEnd(fence, at) : undefined;
    if (end === undefined) return leave(at);
    if (fence.body === 'code') fences.push({ info: fence.info, body: lines.slice(at + 1, end).join('\n') });
    // Words behind a fence are no text; libraries of Markdown read attributes in them.
    keep(at, isMdx && fence.body === 'code' ? 'code' : 'shown');
    isPlain = fence.prefix === '' && !isPython;
    // Behind four blanks it may be code without a fence, whose braces Vue reads.
    const what = fence.body !== 'code' ? 'shown' : isMdx || fence.prefix.length < 4 ? 'code' : 'span';
    if (fence.body === 'page') ends.push(end);
    else {
      // Captions are read as the page is.
      let isOption = fence.info.startsWith('{');
      for (let line = at + 1; line <= end; line += 1) {
        isOption &&= /^[\s>]*(?::[\w-]|---|(?:#|%%|\/\/)\|)|^[\s>]*[\w"'-]+:/.test(lines[line] ?? '');
        keep(line, isOption ? 'shown' : what);
      }
      at = end;
    }
  }
  flush();
  return finish();

  function finish(): Verbatim {
    return { live: kept.join('\n'), readUnfenced: () => unfenced.join('\n'), fences };
  }

  function keep(at: number, what: 'shown' | 'span' | 'code'): void {
    const line = lines[at] ?? '';
    kept.push(what === 'shown' ? line : blank(line));
    unfenced.push(what === 'code' ? blank(line) : line);
  }

  /** Which of the marks from here on open a block, and which close one, depends on the reader. */
  function leave(at: number): Verbatim {
    for (let line = at; line < lines.length; line += 1) {
      const { info = '', body } = findNestedFence(lines[line] ?? '') ?? {};
      if (info !== '' && body === 'code') fences.push({ info, body: lines.slice(line + 1, line + 50).join('\n') });
    }
    for (let line = kept.length; line < lines.length; line += 1) keep(line, 'shown');
    return finish();
  }

  function readContainer(line: string): void {
    const [, { length: colons } = '', name] = containerMark.exec(line) ?? [];
    const last = containers.at(-1) ?? { colons: Number.POSITIVE_INFINITY, fewest: Number.POSITIVE_INFINITY };
    if (colons > 0 && name !== '') containers.push({ colons, fewest: Math.min(colons, last.fewest) });
    else if (colons >= last.colons) containers.pop();
  }

  function flush(): void {
    if (paragraph.length === 0) return;
    const isHidden = isComment(paragraph);
    let isClear = true;
    for (const item of splitItems(paragraph)) {
      const isHtml = html.isRaw(item);
      const blanked = isHtml || !isClear ? undefined : blankSpans(item, { isKramdown });
      // Below a paragraph, some readers know no list, or none that begins so: a mark of code goes on.
      if (!isHtml && blanked === undefined) isClear = false;
      const shown = blanked?.map((line) => (isCommonMark ? blankEscapes(line) : line)) ?? item;
      const spans = isHidden ? item.map(blank) : shown;
      const text = blankFormulas(spans, isHtml || isFormula ? undefined : math);
      isFormula ||= math !== undefined && text.some((line) => line.split('$$').length % 2 === 0);
      kept.push(...text);
      for (const line of spans) html.readText(line);
    }
    unfenced.push(...paragraph);
    paragraph = [];
    holdsHtml = false;
  }

  /** A comment that is a block for itself, and ends for every reader at the same mark. */
  function isComment(lines: readonly string[]): boolean {
    if (isMdx || !lines[0]?.startsWith('<!--') || html.isOpen()) return false;
    const text = lines.join('\n').trimEnd();
    if (!text.endsWith('-->')) return false;
    return !/^-?>|--|<!|\{[{%]/.test(text.slice(4, -3));
  }

  /** The line of the closing fence. */
  function findEnd({ prefix, mark, body }: OpenFence, at: number): number | undefined {
    const margin = prefix.trimEnd();
    for (let line = at + 1; line < (ends.at(-1) ?? lines.length); line += 1) {
      const source = lines[line] ?? '';
      if (source.trimEnd() === margin) continue;
      const isEmpty = /^[ \t]*$/.test(source) && !prefix.includes('>');
      if (!isEmpty && !source.startsWith(prefix)) return undefined;
      // An open container ends at such a line, in code too.
      const [, colons = '', name] = (source.includes(':::') && containerMark.exec(source)) || [];
      if (name === '' && (containers.at(-1)?.fewest ?? Number.POSITIVE_INFINITY) <= colons.length) return undefined;
      const close = /^[\s>]*(`{3,}|~{3,}|:{3,})\s*$/.exec(source)?.[1];
      // HonKit ends code at such a mark behind text, too.
      if (isKramdown && close === undefined && /[`~]{3}[ \t]*$/.test(source)) return undefined;
      if (close === undefined || close[0] !== mark[0] || close.length < mark.length) continue;
      return body === 'page' || source.replace(/(?<![ \t])[ \t]+$/, '') === prefix + mark ? line : undefined;
    }
    return undefined;
  }
}

/** Whether a block of code may begin within a line, behind the mark of a footnote, a definition, a field or a cell. */
function hasFence(line: string): boolean {
  const at = line.search(/`{3}|~{3}/);
  if (at === -1) return false;
  const [run = ''] = /^(?:`+|~+)/.exec(line.slice(at)) ?? [];
  const isSpan = run.startsWith('`') && line.includes(run, at + run.length);
  return !isSpan && !/\p{L}{2}/u.test(line.slice(0, at).replace(/\[[^[\]]{0,99}\]:|:[\w -]{1,50}:/g, ''));
}

/** Outside of HTML, `\<` begins no tag. */
const blankEscapes = (line: string): string =>
  line.includes('\\<') ? line.replace(/(?<!\\)((?:\\\\){0,20})\\</g, '$1  ') : line;

/** An item of a list ends the one before it, but what stands in HTML is no item. */
function splitItems(lines: string[]): string[][] {
  if (lines.length === 1) return [lines];
  const items: string[][] = [];
  let column = -1;
  let holdsHtml = false;
  for (const line of lines) {
    const at = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) ? line.search(/\S/) : undefined;
    const current = items.at(-1);
    if (current === undefined || (at !== undefined && (at <= column || !holdsHtml))) {
      items.push([line]);
      column = at ?? -1;
      holdsHtml = false;
    } else current.push(line);
    holdsHtml ||= isHtmlLine(line);
  }
  return items;
}
