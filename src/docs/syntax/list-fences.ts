import type { Nodes } from 'mdast';

export interface Fence {
  /** Its first line. */
  line: number;
  /** What stands behind the mark: the language, and more. */
  info: string;
  /** The lines between its marks. */
  code: readonly string[];
  isClosed: boolean;
  /** A line inside that opens a fence itself: what is left of a fence that was not closed. */
  swallowed: number | undefined;
}

/** At any indentation, in quotations and lists too. An info string has no backticks. */
const opening = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})/;
const prefix = /^[ \t>]*/;
/** A mark that is indented by more belongs to the code. */
const maxIndentation = 3;

interface Mark {
  mark: string;
  indentation: number;
}

/** Fences of Markdown that has no syntax tree: by lines. */
export function listFences(text: string): Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const mark = readMark(lines[index] ?? '');
    if (mark === undefined) continue;
    let end = index + 1;
    while (end < lines.length && !isClosing(lines[end] ?? '', mark)) end += 1;
    fences.push(createFence(lines, index, end, mark, end < lines.length));
    index = end;
  }
  return fences;
}

export function listParsedFences(nodes: readonly Nodes[], text: string): Fence[] {
  const lines = text.split('\n');
  return nodes.flatMap((node) => {
    if (node.type !== 'code' || node.position === undefined) return [];
    const [first, last] = [node.position.start.line - 1, node.position.end.line - 1];
    const column = node.position.start.column - 1;
    const mark = /^(?:`{3,}|~{3,})/.exec((lines[first] ?? '').slice(column))?.[0];
    if (mark === undefined) return [];
    // The parser found it, where nothing is indented code.
    const opened = { mark, indentation: Number.POSITIVE_INFINITY };
    const isClosed = last > first && isClosing(lines[last] ?? '', opened);
    return [createFence(lines, first, isClosed ? last : last + 1, opened, isClosed)];
  });
}

function readMark(line: string): Mark | undefined {
  const [, before = '', mark] = opening.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, indentation: before.length };
}

function isClosing(line: string, { mark, indentation }: Mark): boolean {
  const before = prefix.exec(line)?.[0].length ?? 0;
  const rest = line.slice(before).trimEnd();
  const isMark = rest.length >= mark.length && rest === (mark[0] ?? '').repeat(rest.length);
  return isMark && before <= indentation + maxIndentation;
}

function createFence(lines: readonly string[], first: number, end: number, outer: Mark, isClosed: boolean): Fence {
  const code = lines.slice(first + 1, end);
  const found = code.findIndex((line) => {
    const inner = readMark(line);
    return (
      inner !== undefined &&
      inner.mark[0] === outer.mark[0] &&
      inner.mark.length >= outer.mark.length &&
      inner.indentation <= outer.indentation + maxIndentation &&
      /\w/.test(line)
    );
  });
  const written = lines[first] ?? '';
  const info = written.slice(written.indexOf(outer.mark) + outer.mark.length).trim();
  return { line: first + 1, info, code, isClosed, swallowed: found < 0 ? undefined : first + 2 + found };
}
