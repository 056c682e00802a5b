import { indentOf } from '../formats/rst.ts';
import type { Fence } from './list-fences.ts';

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
