import { findLineStarts } from '../line-of.ts';

/** A text and its place in the page. */
export interface PlacedText {
  text: string;
  start: number;
}

/** `.. name:: argument` of reStructuredText, or a fence of MyST. */
export interface Directive {
  name: string;
  argument: PlacedText;
  options: ReadonlyMap<string, PlacedText>;
  /** Its lines below the options, trimmed. Without blank ones. */
  body: readonly PlacedText[];
}

interface Rst {
  titles: { text: string; depth: number; start: number }[];
  directives: Directive[];
  /** Names of `.. _name:`, as written. */
  targets: PlacedText[];
  /** Those of `targets` in front of a paragraph or a list, which have no title to show. */
  untitled: string[];
  /** Names of all links, also of those to addresses. */
  declared: string[];
  /** The text with blanks in place of code, comments and literals: every other character keeps its place. */
  prose: string;
}

/** Their content is no reStructuredText, or its markup leads nowhere. */
export const isCodeDirective = (name: string): boolean =>
  /^(?:code|code-block|code-cell|sourcecode|highlight|literalinclude|raw|math|mermaid|graphviz|digraph|graph|productionlist|parsed-literal|doctest|testcode|testoutput|testsetup|testcleanup|ipython|prompt|jupyter-execute|exec|plot|program-output|command-output|uml|plantuml|bibtex|tikz|toctree|autosummary|autotoctree|eval-rst|csv-table|jinja|datatemplate|runblock|exec_code|pyscript|thebe-button|needuml)$/.test(
    name,
  );

/** Also at the start of a list item. */
const explicit = /^( {0,200}(?:(?:[-*+]|\(?(?:\d{1,4}|#|[A-Za-z])[.)]) {1,9}){0,3})\.\.(?= |$)/;
const directive = /^\.\. +(?:\|[^|]+\| *)?([A-Za-z][\w:+.-]*?) ?::(?: +|$)/;
const target = /^\.\. +_(?:`((?:[^`\\]|\\.)+)`|((?:[^:`\\]|\\.)+)):(?: +(\S.*)|$)/;
const footnote = /^\.\. +\[[^\]]+\](?: |$)/;
const option = /^ *:([\w-]+):(?: +|$)/;
const line = /^( *)([!-/:-@[-`{-~])\2* *$/;
const bullet = /^ {0,200}(?:(?:[-*+]|\(?(?:\d{1,4}|#|[A-Za-z])[.)]) {1,9})?/;

/** Reads reStructuredText by its lines, in linear time. https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html */
export function readRst(text: string): Rst {
  const lines = text.split('\n').map((each) => each.trimEnd().replaceAll('\t', ' '));
  const starts = findLineStarts(text);
  const found: Rst = { titles: [], directives: [], targets: [], untitled: [], declared: [], prose: '' };
  const styles: string[] = [];
  const prose = text.split('\n');
  const blank = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) prose[at] = (prose[at] ?? '').replace(/[^\r]/g, ' ');
  };
  let at = 0;
  while (at < lines.length) {
    const now = lines[at] ?? '';
    const before = lines[at - 1] ?? '';
    const marked = explicit.exec(now);
    if (marked !== null && (before === '' || indentOf(before) !== indentOf(now) || explicit.test(before))) {
      at = readExplicit(at, marked[1]?.length ?? 0);
      continue;
    }
    const title = readTitle(at);
    if (title !== undefined) {
      at = title;
      continue;
    }
    const end = now.trimStart().startsWith('>>> ') ? findBlankLine(lines, at) : at;
    blank(at, end);
    // A literal block is indented deeper than the paragraph that ends with `::`.
    const isLiteral = now.endsWith('::') && lines[at + 1] === '';
    const literalEnd = isLiteral ? findEnd(lines, at + 1, bullet.exec(now)?.[0].length ?? 0) : at + 1;
    blank(at + 1, literalEnd);
    at = Math.max(end, literalEnd);
  }
  return { ...found, prose: blankLiterals(prose.join('\n')) };

  function readExplicit(from: number, indent: number): number {
    const now = (lines[from] ?? '').slice(indent);
    const end = findEnd(lines, from + 1, indent);
    const start = (starts[from] ?? 0) + indent;
    const named = directive.exec(now);
    if (named !== null) {
      const [opening, name = ''] = named;
      const read = readDirective(name.toLowerCase(), {
        text: now.slice(opening.length),
        start: start + opening.length,
      });
      if (!isCodeDirective(read.name)) return from + 1;
      blank(from, end);
      return end;
    }
    const label = target.exec(now);
    if (label !== null) {
      const [, quoted, bare, elsewhere] = label;
      const name = (quoted ?? bare ?? '').replace(/\\(.)/g, '$1');
      found.declared.push(name);
      if (elsewhere === undefined && name !== '_') {
        found.targets.push({ text: name, start });
        if (isBeforeText(from + 1)) found.untitled.push(name);
      }
      return from + 1;
    }
    if (footnote.test(now)) return from + 1;
    blank(from, end);
    return end;

    function readDirective(name: string, argument: PlacedText): Directive {
      const options = new Map<string, PlacedText>();
      let next = from + 1;
      for (; next < end; next += 1) {
        const [mark, key] = option.exec(lines[next] ?? '') ?? [];
        if (key === undefined || mark === undefined) break;
        options.set(key, spanAt(next, mark.length));
      }
      const body = isCodeDirective(name) ? listBody(next, end) : [];
      const read = { name, argument, options, body };
      found.directives.push(read);
      return read;
    }
  }

  function listBody(from: number, to: number): PlacedText[] {
    const spans: PlacedText[] = [];
    for (let each = from; each < to; each += 1)
      if (lines[each] !== '') spans.push(spanAt(each, indentOf(lines[each] ?? '')));
    return spans;
  }

  function spanAt(index: number, column: number): PlacedText {
    return { text: (lines[index] ?? '').slice(column), start: (starts[index] ?? 0) + column };
  }

  /** Returns the line behind the title. */
  function readTitle(from: number): number | undefined {
    const [above, second, third] = [lines[from] ?? '', lines[from + 1] ?? '', lines[from + 2] ?? ''];
    const over = line.exec(above);
    if (over !== null && second !== '' && line.exec(third)?.[2] === over[2] && above.trim().length > 1) {
      if (above.trim().length < 4 && above.trim().length < second.trim().length) return undefined;
      return addTitle(from, second, `${over[2]}${over[2]}`, from + 3);
    }
    const under = line.exec(second);
    const isFirst = (lines[from - 1] ?? '') === '' || from === 0 || explicit.test(lines[from - 1] ?? '');
    if (under === null || above === '' || !isFirst || indentOf(above) !== indentOf(second)) return undefined;
    const length = second.trim().length;
    if (length < 2 || (length < 4 && length < above.trim().length) || (over !== null && above.trim().length > 1))
      return undefined;
    return addTitle(from, above, under[2] ?? '', from + 2);
  }

  function isBeforeText(from: number): boolean {
    let next = from;
    while (lines[next] === '' || target.test((lines[next] ?? '').trimStart())) next += 1;
    const text = lines[next] ?? '';
    return /^\s*(?:[\w`*("'-])/.test(text) && !line.test(text) && !line.test(lines[next + 1] ?? '');
  }

  function addTitle(from: number, title: string, style: string, next: number): number {
    if (!styles.includes(style)) styles.push(style);
    found.titles.push({ text: title.trim(), depth: styles.indexOf(style) + 1, start: starts[from] ?? 0 });
    return next;
  }
}

export const indentOf = (text: string): number => text.length - text.trimStart().length;

/** The line behind all that is indented deeper. Blank lines at the end belong to it. */
function findEnd(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  while (end < lines.length && (lines[end] === '' || indentOf(lines[end] ?? '') > indent)) end += 1;
  return end;
}

function findBlankLine(lines: readonly string[], from: number): number {
  const end = lines.indexOf('', from);
  return end < 0 ? lines.length : end;
}

/** ``` ``code`` ``` within a paragraph. */
export function blankLiterals(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let at = text.indexOf('``');
  while (at >= 0) {
    const close = text.indexOf('``', at + 2);
    if (close < 0) break;
    const inside = text.slice(at, close + 2);
    const isCode = !/\n[ \t\r]*\n/.test(inside);
    if (isCode) {
      parts.push(text.slice(kept, at), inside.replace(/[^\n]/g, ' '));
      kept = close + 2;
    }
    at = isCode ? text.indexOf('``', close + 2) : close;
  }
  return parts.join('') + text.slice(kept);
}
