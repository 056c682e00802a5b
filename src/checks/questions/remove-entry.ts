import type { TargetEdit } from './apply-edits.ts';

type Removal = Pick<TargetEdit, 'start' | 'end' | 'replacement'>;
interface Span {
  start: number;
  end: number;
}

const maxCharacters = 1_000;

/**
 * Takes an entry out of its list: a string or a flat object of JSON and JavaScript, a line of YAML or Markdown. Undefined: it is the only
 * one, holds others, or is no element of a list. `entry`: the place of its target.
 */
export function removeEntry(text: string, entry: Span): Removal | undefined {
  const elements = [findString(text, entry), findObject(text, entry)];
  const element = elements.find((span) => span !== undefined && isElement(text, span));
  return element === undefined ? removeLine(text, entry) : removeElement(text, element);
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
  /[[,]$/.test(text.slice(0, start).trimEnd()) && /^\s*[,\]]/.test(text.slice(end, end + maxCharacters));

function removeElement(text: string, { start, end }: Span): Removal | undefined {
  const before = text.slice(0, start).trimEnd();
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? '';
  const isLast = /^\s*\]/.test(text.slice(end + comma.length));
  if (isLast && before.endsWith('[')) return undefined;
  if (!isLast) return { start, end: end + (/^\s*,\s*/.exec(text.slice(end))?.[0].length ?? 0), replacement: '' };
  // Lists that end with a comma keep theirs; others lose the comma before the last element.
  return { start: comma === '' ? before.length - 1 : before.length, end: end + comma.length, replacement: '' };
}

const lines = [/^- (?:[^:#]{1,200}: )?["']?[^\s"'#[\]{}]+["']?$/, /^[*-] \[[^\]]*\]\([^()]*\)$/];

function removeLine(text: string, { start }: Span): Removal | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', start);
  const to = newline < 0 ? text.length : newline;
  const line = text.slice(from, to).trimEnd();
  const written = line.trimStart();
  if (!lines.some((form) => form.test(written))) return undefined;
  const indentation = line.length - written.length;
  const indentationOf = (other: string | undefined) => /^[ \t]*(?=[*-] )/.exec(other ?? '')?.[0].length ?? -1;
  const above = text.slice(0, from).split('\n').at(-2);
  const below = text.slice(to + 1).split('\n', 1)[0];
  const isOnly = indentationOf(above) < indentation && indentationOf(below) < indentation;
  if (indentationOf(below) > indentation || isOnly) return undefined;
  return { start: from, end: newline < 0 ? to : newline + 1, replacement: '' };
}
