import { endOfLine } from '../pages/blank-code.ts';
import type { LinkForm } from '../pages/list-links.ts';
import type { TargetEdit } from './apply-edits.ts';

type Removal = Pick<TargetEdit, 'start' | 'end' | 'replacement'>;
interface Span {
  start: number;
  end: number;
}

const maxCharacters = 1_000;
const maxListCharacters = 100_000;

/**
 * Takes an entry out of its list: a string or a flat object of JSON and JavaScript, a line of YAML or Markdown. Undefined: it is the only
 * one, holds others, has a comment, or is no element of a list. `entry`: the place of its target.
 */
export function removeEntry(text: string, entry: Span & { form?: LinkForm }): Removal | undefined {
  if (entry.form !== undefined) return removeWholeLine(text, entry);
  const elements = [findString(text, entry), findObject(text, entry)];
  const element = elements.find((span) => span !== undefined && isElement(text, span));
  return element === undefined ? removeLine(text, entry) : removeElement(text, element);
}

/** Whether a list has no elements any more around the place where one was removed. */
export function isEmptied(text: string, at: number): boolean {
  if (/\[\s*$/.test(text.slice(0, at)) && /^\s*\]/.test(text.slice(at))) return true;
  const above = findLine(text.slice(0, at).split('\n').slice(0, -1).toReversed());
  const below = findLine(text.slice(text.lastIndexOf('\n', at - 1) + 1).split('\n'));
  // An option of a directive stands above its entries.
  const isKey = above !== undefined && /:\s*$/.test(above) && !/^\s*:/.test(above);
  return isKey && indentOf(below ?? '') <= indentOf(above);
}

function findString(text: string, { start, end }: Span): Span | undefined {
  const quote = text[start - 1] ?? '';
  return /["'`]/.test(quote) && text[end] === quote ? { start: start - 1, end: end + 1 } : undefined;
}

function findObject(text: string, { start, end }: Span): Span | undefined {
  const open = /\{[^{}[\]]*$/.exec(text.slice(Math.max(0, start - maxCharacters), start))?.[0];
  const close = /^[^{}[\]]*\}/.exec(text.slice(end, end + maxCharacters))?.[0];
  return open === undefined || close === undefined
    ? undefined
    : { start: start - open.length, end: end + close.length };
}

const isElement = (text: string, { start, end }: Span) =>
  /[[,]$/.test(text.slice(0, start).trimEnd()) &&
  /^\s*[,\]]/.test(text.slice(end, end + maxCharacters)) &&
  findBracket(text, start) === '[';

/** The bracket that is open at a position. Strings are skipped from their end on. */
function findBracket(text: string, position: number): string | undefined {
  let depth = 0;
  for (let at = position - 1; at >= Math.max(0, position - maxListCharacters); at -= 1) {
    const mark = text[at] ?? '';
    if (/["'`]/.test(mark)) {
      const before = text.lastIndexOf(mark, at - 1);
      // A lone mark, as in a comment, stands for itself.
      if (before > text.lastIndexOf('\n', at)) at = before;
    } else if (/[)\]}]/.test(mark)) depth += 1;
    else if (/[([{]/.test(mark)) {
      if (depth === 0) return mark;
      depth -= 1;
    }
  }
  return undefined;
}

function removeElement(text: string, { start, end }: Span): Removal | undefined {
  const before = text.slice(0, start).trimEnd();
  const comma = /^\s*,/.exec(text.slice(end, end + maxCharacters))?.[0] ?? '';
  const behind = text.slice(end + comma.length, end + maxCharacters);
  const isLast = /^\s*\]/.test(behind);
  // A comment may be about the entry.
  if (/^\s*\/[/*]/.test(behind) || (isLast && before.endsWith('['))) return undefined;
  if (!isLast) return { start, end: end + comma.length + (/^\s*/.exec(behind)?.[0].length ?? 0), replacement: '' };
  // Lists that end with a comma keep theirs; others lose the comma before the last element.
  return { start: comma === '' ? before.length - 1 : before.length, end: end + comma.length, replacement: '' };
}

const lines = [
  /^- (?:[^:#]{1,200}: )?["']?[^\s"'#[\]{}]+["']?$/,
  /^[*+-] \[[^\]]*\]\([^()]*\)$/,
  /^\d{1,4}[.)] \[[^\]]*\]\([^()]*\)$/,
];

/** Of an entry that stands alone on its line, in a page. */
function removeWholeLine(text: string, { start }: Span): Removal | undefined {
  const end = endOfLine(text, start);
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const [behind = ''] = /^[ \t]*[*.]+(?= )/.exec(text.slice(end)) ?? [];
  // Entries below it would have no parent.
  if (behind.trim().length > (/^[*.]+/.exec(before.trim())?.[0].length ?? 0)) return undefined;
  return { start: text.lastIndexOf('\n', start - 1) + 1, end, replacement: '' };
}

function removeLine(text: string, { start }: Span): Removal | undefined {
  const own = text.lastIndexOf('\n', start - 1) + 1;
  const { from, to } = findItem(text, own);
  const opening = text.slice(from, to).split('\n', 1)[0]?.trimEnd() ?? '';
  if (from === own && !lines.some((form) => form.test(opening.trimStart()))) return undefined;
  const above = findLine(text.slice(0, from).split('\n').slice(0, -1).toReversed()) ?? '';
  const below = findLine(text.slice(to).split('\n')) ?? '';
  const indent = indentOf(opening);
  // What is deeper belongs to an item above.
  const isBeside = (other: string) => indentOf(other) > indent || (isItem(other) && indentOf(other) === indent);
  if (indentOf(below) > indent || !(isBeside(above) || isBeside(below))) return undefined;
  return { start: from, end: to, replacement: '' };
}

const itemLine = /^\s*- (?=[\w-]{1,40}: +\S)/;
const plainLine = /^\s+[\w-]{1,40}: +[^\s#&*!|>{[][^\n]*$/;
const targetLine = /^\s+(?:href|file|url|link|path|page): *["']?[^\s"'#[\]{}]+(?:#[^\s"'[\]{}]+)?["']? *\r?$/;

/** The lines of an item of YAML whose values are plain texts; else the own line. */
function findItem(text: string, own: number): { from: number; to: number } {
  const lineAt = (at: number) => text.slice(at, endOfLine(text, at)).trimEnd();
  const line = { from: own, to: endOfLine(text, own) };
  const opening = itemLine.exec(lineAt(own))?.[0];
  const indent = opening?.length ?? indentOf(lineAt(own));
  let from = own;
  if (opening === undefined) {
    if (!targetLine.test(lineAt(own))) return line;
    do {
      from = text.lastIndexOf('\n', from - 2) + 1;
    } while (from > 0 && indentOf(lineAt(from)) === indent && plainLine.test(lineAt(from)));
    if (itemLine.exec(lineAt(from))?.[0].length !== indent) return line;
  }
  let { to } = line;
  while (to < text.length && indentOf(lineAt(to)) === indent && plainLine.test(lineAt(to))) to = endOfLine(text, to);
  return { from, to };
}

/** The first one with content. */
const findLine = (all: readonly string[]): string | undefined =>
  all.find((line) => line.trim() !== '' && !/^\s*(?:#(?=[^\n]*$)|<!--)/.test(line));
const isItem = (line: string): boolean => /^\s*(?:[*+-]|\d{1,4}[.)]) /.test(line);
const indentOf = (line: string): number => line.length - line.trimStart().length;
