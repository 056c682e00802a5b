import { cutFrontMatter } from '../formats/front-matter.ts';

interface BlankedPage {
  /** The text with code, comments and front matter replaced by blanks: every other character keeps its place. */
  prose: string;
  /** The same with its comments, in which some frameworks write includes. */
  proseAndComments: string;
  /** The JavaScript of an MDX page: its imports and exports. */
  scripts: { text: string; start: number }[];
  /** Where the page begins below its front matter. */
  bodyStart: number;
}

type Range = readonly [start: number, end: number];

/** In quotations and lists too. An opening line of backticks has no others: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
const fenceOpening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,})/my;
const scriptOpening = /(?:import|export)\b(?!\s*[)(.])/y;
const commentMarks = [
  { opening: '<!--', closing: '-->', isMdxOnly: false },
  { opening: '{/*', closing: '*/}', isMdxOnly: true },
];

/** `isMdx`: `{/* … *\/}` is a comment, and import and export are JavaScript. Linear time. */
export function blankCode(text: string, { isMdx }: { isMdx: boolean }): BlankedPage {
  const bodyStart = findBodyStart(text);
  const blanks: Range[] = [[0, bodyStart]];
  const comments: Range[] = [];
  const scripts: BlankedPage['scripts'] = [];
  let paragraph = { end: bodyStart, spans: new Map<number, number>() };
  let isAfterBlankLine = true;
  let marks = commentMarks.filter(({ isMdxOnly }) => isMdx || !isMdxOnly);
  let at = bodyStart;
  const skipTo = (end: number, ranges = blanks) => {
    ranges.push([at, end]);
    at = end;
  };
  while (at < text.length) {
    const isLineStart = at === bodyStart || text[at - 1] === '\n';
    if (isLineStart) {
      const fence = matchAt(fenceOpening, text, at)?.[1];
      if (fence !== undefined) {
        skipTo(findFenceEnd(text, endOfLine(text, at), fence));
        isAfterBlankLine = true;
        continue;
      }
      if (isMdx && isAfterBlankLine && matchAt(scriptOpening, text, at) !== null) {
        const start = at;
        skipTo(findScriptEnd(text, at));
        scripts.push({ text: text.slice(start, at), start });
        continue;
      }
      isAfterBlankLine = isBlankLine(text, at);
      if (at >= paragraph.end) paragraph = findCodeSpans(text, at);
    }
    const comment = marks.find(({ opening }) => text.startsWith(opening, at));
    const commentEnd = comment ? text.indexOf(comment.closing, at + comment.opening.length) : -1;
    // A later one does not end either.
    if (comment && commentEnd < 0) marks = marks.filter((mark) => mark !== comment);
    const spanEnd = paragraph.spans.get(at);
    if (comment && commentEnd >= 0) skipTo(commentEnd + comment.closing.length, comments);
    else if (spanEnd !== undefined && spanEnd > at) skipTo(spanEnd);
    else at = text[at] === '\\' && text[at + 1] !== '\n' ? at + 2 : findNext(text, at);
  }
  const proseAndComments = blankOut(text, blanks);
  return { prose: blankOut(proseAndComments, comments), proseAndComments, scripts, bodyStart };
}

/** Nothing begins between these and the starts of lines. */
const special = /[\n\\<{`]/g;

function findNext(text: string, at: number): number {
  if (text[at] === '\n') return at + 1;
  special.lastIndex = at + 1;
  const found = special.exec(text);
  if (found === null) return text.length;
  return found[0] === '\n' ? found.index + 1 : found.index;
}

export function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found + 1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const isBlankLine = (text: string, at: number) => text.slice(at, endOfLine(text, at)).trim() === '';

function findBodyStart(text: string): number {
  const cut = cutFrontMatter(text);
  return cut?.language === '' && cut.fence !== ';;;' ? cut.bodyStart : 0;
}

/** A fence that is never closed reaches to the end of the page. */
function findFenceEnd(text: string, from: number, opening: string): number {
  const mark = opening[0] ?? '`';
  let at = from;
  while (at < text.length) {
    const end = endOfLine(text, at);
    const line = text
      .slice(at, end)
      .replace(/^[ \t>]*/, '')
      .trimEnd();
    at = end;
    if (line.length >= opening.length && line === mark.repeat(line.length)) return at;
  }
  return text.length;
}

/** The line between the head and the body of a table. */
const tableDelimiter = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+$/m;

/** Code ends with its paragraph or its cell of a table at the latest. By position: where the code that begins there ends; other runs of backticks end themselves. */
function findCodeSpans(text: string, start: number): { end: number; spans: Map<number, number> } {
  let end = endOfLine(text, start);
  while (end < text.length && !isBlankLine(text, end) && matchAt(fenceOpening, text, end) === null)
    end = endOfLine(text, end);
  const spans = new Map<number, number>();
  const closings = new Map<number, number>();
  const paragraph = text.slice(start, end);
  const isTable = paragraph.includes('|') && tableDelimiter.test(paragraph);
  for (const { 0: run, index } of [...paragraph.matchAll(isTable ? /`+|(?<!\\)\||\n/g : /`+/g)].toReversed()) {
    if (run[0] !== '`') {
      closings.clear();
      continue;
    }
    const from = start + index;
    const closing = closings.get(run.length);
    if (closing !== undefined) spans.set(from, closing);
    closings.set(run.length, from + run.length);
  }
  return { end, spans };
}

/** JavaScript of MDX ends at a blank line outside of brackets, strings and templates. */
function findScriptEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'" || character === '`') {
      at = findStringEnd(text, at, character);
      continue;
    }
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '\n' && depth <= 0 && (at + 1 >= text.length || isBlankLine(text, at + 1))) return at + 1;
    at += 1;
  }
  return text.length;
}

function findStringEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === '\n' && quote !== '`') return at;
  }
  return text.length;
}

function blankOut(text: string, ranges: readonly Range[]): string {
  let kept = 0;
  const parts: string[] = [];
  for (const [start, end] of ranges) {
    parts.push(text.slice(kept, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    kept = end;
  }
  return [...parts, text.slice(kept)].join('');
}
