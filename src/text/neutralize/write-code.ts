import { bound } from '../bound.ts';

/** Text on one line, in which no character has a meaning in Markdown. */
export const writePlain = (text: string, maxLength: number): string =>
  bound(text.replace(/\s+/g, ' ').trim(), maxLength).replace(/[\\`*_~[\]<>|$]/g, '\\$&');

/** Text on one line as a code span. https://spec.commonmark.org/0.31.2/#code-spans */
export function writeCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const marks = '`'.repeat(longestRun(line) + 1);
  const space = /`|^$/.test(line) ? ' ' : '';
  return `${marks}${space}${line}${space}${marks}`;
}

export function writeCodeBlock(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}text\n${text}\n${marks}`;
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
