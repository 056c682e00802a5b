import type { PageFormat } from '../../page-extensions.ts';
import { endOfLine } from '../../pages/blank-code.ts';
import type { Heading } from '../../pages/list-headings.ts';
import type { Page } from '../../pages/read-page.ts';
import type { TargetEdit } from '../apply-edits.ts';

const maxDepth = 6;
/** The marks that docutils recommends, after those of titles. */
const otherMarks = ['=', '-', '~', '^', '"', "'", '+', '*'];

/** The edits that give headings other levels; undefined: a heading would be too deep. */
export function fitHeadings(
  options: { text: string; format: PageFormat; headings: readonly Heading[] } & Pick<Page, 'lineOf'>,
  shift: number,
  /** The page of reStructuredText that they come into, which has marks of its own. */
  into: { text: string; page: Page } | undefined,
): TargetEdit[] | undefined {
  const { text, format, headings, lineOf } = options;
  if (format === 'rst') return fitTitles({ text, headings, lineOf }, shift, into);
  if (shift === 0) return [];
  if (headings.some(({ depth }) => depth + shift > maxDepth)) return undefined;
  const mark = format === 'asciidoc' ? /[=#]{1,6}(?=[ \t])/y : /#{1,6}(?=[ \t])/y;
  return headings.map(({ start, depth }): TargetEdit => {
    const end = endOfLine(text, start);
    const at = text.slice(start, end).search(/[=#]/);
    mark.lastIndex = start + Math.max(0, at);
    const found = at < 0 ? null : mark.exec(text);
    const marks = (found?.[0][0] ?? '#').repeat(depth + shift);
    const line = lineOf(start);
    if (found !== null) return { line, start: found.index, end: found.index + found[0].length, replacement: marks };
    // A line below underlines it.
    const title = text.slice(start, end).trimEnd();
    return { line, start, end: endOfLine(text, end), replacement: `${marks} ${title.trimStart()}\n` };
  });
}

interface Style {
  mark: string;
  isOver: boolean;
}

function fitTitles(
  { text, headings, lineOf }: { text: string; headings: readonly Heading[] } & Pick<Page, 'lineOf'>,
  shift: number,
  into: { text: string; page: Page } | undefined,
): TargetEdit[] {
  const styles = new Map(into?.page.headings.map((heading) => [heading.depth, readStyle(into.text, heading).style]));
  return headings.map((heading): TargetEdit => {
    const depth = heading.depth + shift;
    const { style: own, title, start, end } = readStyle(text, heading);
    const used = [...styles.values()].map(({ mark }) => mark);
    const free = [own.mark, ...otherMarks].find((mark) => !used.includes(mark)) ?? own.mark;
    const style = styles.get(depth) ?? { mark: free, isOver: false };
    styles.set(depth, style);
    const rule = style.mark.repeat(Math.max(4, title.length));
    const replacement = `${style.isOver ? `${rule}\n` : ''}${title}\n${rule}\n`;
    return { line: lineOf(heading.start), start, end, replacement };
  });
}

function readStyle(text: string, { start }: Heading): { style: Style; title: string; start: number; end: number } {
  const second = endOfLine(text, start);
  const third = endOfLine(text, second);
  const first = text.slice(start, second).trim();
  const below = text.slice(second, third).trim();
  const isOver = /^([!-/:-@[-`{-~])\1*$/.test(first) && text.slice(third, endOfLine(text, third)).trim() === first;
  return isOver
    ? { style: { mark: first[0] ?? '=', isOver }, title: below, start, end: endOfLine(text, third) }
    : { style: { mark: below[0] ?? '=', isOver }, title: first, start, end: third };
}
