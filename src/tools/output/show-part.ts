import type { ToolResult } from '../../agent/tool.ts';
import { formatOf } from '../../docs/page-extensions.ts';
import { findSections, listSections, type Section, showSection } from '../../docs/pages/list-sections.ts';
import { readAnyPage } from '../../docs/pages/page-reader.ts';
import { cutText } from '../../text/bound.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { firstRows, formatCount, type ToolLimits } from './limits.ts';

interface Part {
  path: string;
  /** The restriction on edits of the file. */
  mark: string | undefined;
  text: string;
  /** A line, from 1. */
  offset?: number | undefined;
  /** Lines. */
  limit?: number | undefined;
  /** A character of the first line, from 1. */
  column?: number | undefined;
  heading?: string | undefined;
  limits: ToolLimits;
}

const maxSmallCharacters = 8_192;
const maxHeadings = 40;
const maxHeadingCharacters = 120;

export const partTask: ThreadTask<Part, ToolResult> = {
  module: import.meta.url,
  work: showPart,
  isSmall: ({ text }) => text.length <= maxSmallCharacters,
};

/** Lines of a file without numbers, so that the model can copy them into edit_file. The first line says which, and how to see the rest. */
export function showPart({ path, mark, text, heading, limits, column = 1, ...range }: Part): ToolResult {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const total = lines.length;
  if (total === 0) return { isError: false, output: `${path} is empty` };
  const sections = () => listSections(readAnyPage(text, formatOf(path)), total);
  const found = heading === undefined ? undefined : findSections(sections(), heading);
  const [section, ...others] = found ?? [];
  if (heading !== undefined && section === undefined) return describeNoSection(path, heading, sections());
  const offset = range.offset ?? section?.line ?? 1;
  const end = Math.min(total, section?.last ?? total, offset + (range.limit ?? total) - 1);
  if (offset > end) {
    return {
      isError: true,
      output: `${path} has only ${formatCount(total)} lines; offset ${formatCount(offset)} is past its end`,
    };
  }
  const isWhole = heading === undefined && range.offset === undefined && range.limit === undefined;
  const isLong = isWhole && text.length > limits.maxWholeCharacters;
  const page = takeLines(lines, {
    offset,
    end,
    column,
    max: isLong ? limits.maxFirstCharacters : limits.maxPageCharacters,
  });
  const below = isLong ? sections().filter(({ line }) => line > page.last) : [];
  const where = `${path}${mark === undefined ? '' : ` (${mark})`}: lines ${formatCount(offset)}-${formatCount(page.last)} of ${formatCount(total)}`;
  const also = others.length > 0 ? `; the same heading is at line ${others.map(({ line }) => line).join(', ')}` : '';
  const more = describeRest(page, end);
  return {
    isError: false,
    output: [`${where}${also}${more}`, '', ...page.lines, ...listBelow(below)].join('\n'),
  };
}

interface Page {
  lines: string[];
  last: number;
  /** Where the last line continues. */
  column: number | undefined;
}

/** At least one line, or a page's worth of it. */
function takeLines(
  lines: readonly string[],
  { offset, end, column, max }: { offset: number; end: number; column: number; max: number },
): Page {
  const first = (lines[offset - 1] ?? '').slice(column - 1);
  if (first.length > max) {
    const part = cutText(first, max);
    return { lines: [part], last: offset, column: column + part.length };
  }
  const shown = [first];
  let characters = first.length + 1;
  for (const line of lines.slice(offset, end)) {
    characters += line.length + 1;
    if (characters > max) break;
    shown.push(line);
  }
  return { lines: shown, last: offset + shown.length - 1, column: undefined };
}

function describeRest({ column, last }: Page, end: number): string {
  if (column !== undefined) return `; the line continues: call again with offset ${last} and column ${column}`;
  return last < end ? `; call again with offset ${last + 1} to continue` : '';
}

function listBelow(sections: readonly Section[]): string[] {
  if (sections.length === 0) return [];
  const rest = sections.length - maxHeadings;
  return [
    '',
    '[Headings below, to read with heading or offset:',
    ...sections.slice(0, maxHeadings).map(showHeading),
    `${rest > 0 ? `... and ${formatCount(rest)} more` : ''}]`,
  ];
}

const showHeading = (section: Section) => showSection(section).slice(0, maxHeadingCharacters);

function describeNoSection(path: string, heading: string, sections: readonly Section[]): ToolResult {
  const list = firstRows(sections.map(showHeading), maxHeadings).join('\n');
  return {
    isError: true,
    output: `${path} has no heading ${heading.slice(0, maxHeadingCharacters)}${sections.length === 0 ? '; it has none' : `; it has:\n${list}`}`,
  };
}
