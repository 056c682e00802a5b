import { findLineStarts } from '../line-of.ts';
import type { PlacedText } from './rst.ts';

interface AsciiDoc {
  headings: { depth: number; text: string; start: number }[];
  /** Of the header: `:name: value`. */
  attributes: ReadonlyMap<string, PlacedText>;
  /** Targets of `include::target[]`, in code, too. */
  includes: PlacedText[];
  /** Lines that a build may leave out. */
  conditional: { start: number; end: number }[];
  /** The text with blanks in place of code and comments: every other character keeps its place. */
  prose: string;
}

/** Blocks that show their text as it is. A comment has no includes. */
const verbatim = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3}[^`]*)$/;
const heading = /^(={1,6}|#{1,6})[ \t]+(?=\S)/;
const attribute = /^:([\w-]+):(?:[ \t]+|$)/;
const include = /^include::([^\s[\]][^[\]]{0,500})\[/;
/** With text in its brackets, it is about this text alone. https://docs.asciidoctor.org/asciidoc/latest/directives/conditionals/ */
const condition = /^(?:ifn?def::[^\s[\]]{1,200}\[\]|ifeval::\[)/;
/** `+text+` between marks of code is not read. */
const passed = /`\+[^`\n]*\+`/g;

/** Reads AsciiDoc by its lines, in linear time. https://docs.asciidoctor.org/asciidoc/latest/ */
export function readAsciiDoc(text: string): AsciiDoc {
  const starts = findLineStarts(text);
  const lines = text.split('\n');
  const found = {
    headings: [] as AsciiDoc['headings'],
    attributes: new Map<string, PlacedText>(),
    includes: [] as PlacedText[],
    conditional: [] as AsciiDoc['conditional'],
  };
  let depth = 0;
  let closing: string | undefined;
  let isHeader = true;
  const prose = lines.map((written, at) => {
    const line = written.trimEnd();
    const start = starts[at] ?? 0;
    const isComment = closing?.startsWith('/') ?? false;
    const [opening = '', target] = (isComment ? null : include.exec(line)) ?? [];
    if (target !== undefined) found.includes.push({ text: target, start: start + opening.length - 1 - target.length });
    if (closing !== undefined) {
      if (line === closing) closing = undefined;
      return blank(written);
    }
    if (verbatim.test(line)) {
      closing = line.startsWith('`') ? '```' : line;
      return blank(written);
    }
    if (condition.test(line)) depth += 1;
    else if (line.startsWith('endif::')) depth -= 1;
    if (depth > 0) found.conditional.push({ start, end: start + written.length });
    if (line.startsWith('//')) return blank(written);
    const [marks] = heading.exec(line) ?? [];
    if (marks !== undefined) found.headings.push({ depth: marks.trim().length, text: line.slice(marks.length), start });
    const [key, name] = attribute.exec(line) ?? [];
    if (isHeader && key !== undefined && name !== undefined)
      found.attributes.set(name, { text: line.slice(key.length), start: start + key.length });
    // The header ends with the first blank line behind it.
    if (line === '' && found.headings.length > 0) isHeader = false;
    return written;
  });
  return { ...found, prose: prose.join('\n').replace(passed, blank) };
}

const blank = (text: string) => text.replace(/[^\r]/g, ' ');
