import type { Nodes } from 'mdast';
import { indentOf } from '../formats/rst.ts';

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
/** https://spec.commonmark.org/0.31.2/#html-blocks */
const comment = /^ {0,3}<!--/;
const prefix = /^[ \t>]*/;
/** A mark that is indented by more belongs to the code. */
const maxIndentation = 3;

interface Mark {
  mark: string;
  indentation: number;
  /** By how much more others may be indented. */
  slack: number;
}

/** Fences of Markdown that has no syntax tree: by lines. */
export function listFences(text: string): Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  let isLastComment = false;
  for (let index = 0; index < lines.length; index += 1) {
    const mark = readMark(lines[index] ?? '');
    if (mark === undefined) {
      if (comment.test(lines[index] ?? '')) index = findCommentEnd(index);
      continue;
    }
    const found = readFence(lines, index, mark);
    // The code of a cell may write a fence itself, which it indents. What is no whole fence is read as elsewhere.
    const isCell = found.info.startsWith('{') && (!found.isClosed || found.swallowed !== undefined);
    const exact = isCell ? readFence(lines, index, { ...mark, slack: 0 }) : found;
    const fence = exact.isClosed && exact.swallowed === undefined ? exact : found;
    fences.push(fence);
    index += fence.code.length + 1;
  }
  return fences;

  /** What is never closed is no comment here: a fence in it may be meant. */
  function findCommentEnd(from: number): number {
    let end = isLastComment ? lines.length : from;
    while (end < lines.length && !lines[end]?.includes('-->')) end += 1;
    isLastComment = end === lines.length;
    return isLastComment ? from : end;
  }
}

function readFence(lines: readonly string[], index: number, mark: Mark): Fence {
  let end = index + 1;
  while (end < lines.length && !isClosing(lines[end] ?? '', mark)) end += 1;
  return createFence(lines, index, end, mark, end < lines.length);
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
    const opened = { mark, indentation: Number.POSITIVE_INFINITY, slack: 0 };
    const isClosed = last > first && isClosing(lines[last] ?? '', opened);
    return [createFence(lines, first, isClosed ? last : last + 1, opened, isClosed)];
  });
}

function readMark(line: string): Mark | undefined {
  const [, before = '', mark] = opening.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, indentation: before.length, slack: maxIndentation };
}

function isClosing(line: string, { mark, indentation, slack }: Mark): boolean {
  const before = prefix.exec(line)?.[0].length ?? 0;
  const rest = line.slice(before).trimEnd();
  const isMark = rest.length >= mark.length && rest === (mark[0] ?? '').repeat(rest.length);
  return isMark && before <= indentation + slack;
}

function createFence(lines: readonly string[], first: number, end: number, outer: Mark, isClosed: boolean): Fence {
  const code = lines.slice(first + 1, end);
  const found = code.findIndex((line) => {
    const inner = readMark(line);
    return (
      inner !== undefined &&
      inner.mark[0] === outer.mark[0] &&
      inner.mark.length >= outer.mark.length &&
      inner.indentation <= outer.indentation + outer.slack &&
      /\w/.test(line)
    );
  });
  const written = lines[first] ?? '';
  const info = written.slice(written.indexOf(outer.mark) + outer.mark.length).trim();
  return { line: first + 1, info, code, isClosed, swallowed: found < 0 ? undefined : first + 2 + found };
}

const directive = /^[ \t]*\.\. (?:code-block|code|sourcecode)::[ \t]+(\S+)[ \t]*$/;
const option = /^[ \t]*:[\w-]+:/;
const attributes = /^\[(?:source)?,[ \t]{0,9}(?:role="[^"\]]{0,99}",)?([\w-]{1,30})(,[^\]]{0,500})?\]$/;
const delimiter = /^(?:-{4,}|\.{4,})$/;

/** `.. code-block:: json`, with the lines that are indented deeper. https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-code-block */
export function listRstBlocks(text: string): Fence[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const info = directive.exec(line)?.[1];
    if (info === undefined) return [];
    let start = at + 1;
    let isMarked = false;
    for (; start < lines.length && option.test(lines[start] ?? ''); start += 1)
      isMarked ||= /:force:|:emphasize/.test(lines[start] ?? '');
    let end = start;
    const isInside = (each: string) => each.trim() === '' || indentOf(each) > indentOf(line);
    while (end < lines.length && isInside(lines[end] ?? '')) end += 1;
    const code = lines.slice(start, end);
    // What may fail says so.
    return [{ line: start, info: isMarked ? '' : info, code, isClosed: true, swallowed: undefined }];
  });
}

/** `[source,json]` before a block between `----`. https://docs.asciidoctor.org/asciidoc/latest/verbatim/source-blocks/ */
export function listAsciiDocBlocks(text: string): Fence[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.flatMap((line, at) => {
    const [, info, more = ''] = attributes.exec(line) ?? [];
    if (info === undefined) return [];
    const start = (lines[at + 1] ?? '').startsWith('.') && !delimiter.test(lines[at + 1] ?? '') ? at + 2 : at + 1;
    const mark = lines[start] ?? '';
    const end = delimiter.test(mark) ? lines.indexOf(mark, start + 1) : -1;
    const code = lines.slice(start + 1, end);
    // Attributes, includes and marks of callouts are filled in or taken away.
    const isPlain =
      !/subs/.test(more) && !code.some((each) => /^include::|<[.\d]+>\s*$|^\s*\/\/|\{[\w-]+\}/.test(each));
    return end < 0 || !isPlain ? [] : [{ line: start + 1, info, code, isClosed: true, swallowed: undefined }];
  });
}
