/** A text in three parts: the start and the end that another text has too, and the difference between them. */
export type MarkedWords = readonly [start: string, differs: string, end: string];

/**
 * The difference between two versions of a line, in whole words. Undefined: hardly anything is the same. Reads both once: a line of a
 * repository may have any length.
 */
export function markWords(before: string, after: string): readonly [MarkedWords, MarkedWords] | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  start = Math.min(findWordStart(before, start), findWordStart(after, start));
  end = Math.min(findWordEnd(before, end), findWordEnd(after, end));
  if (start + end < Math.max(before.length, after.length) / 4) return undefined;
  return [cut(before, start, end), cut(after, start, end)];
}

const cut = (text: string, start: number, end: number): MarkedWords => [
  text.slice(0, start),
  text.slice(start, text.length - end),
  text.slice(text.length - end),
];

/** Letters, digits, and both halves of a surrogate pair. */
const isInWord = (text: string, place: number) => /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(text[place] ?? '');

function findWordStart(text: string, place: number): number {
  let start = place;
  while (start > 0 && isInWord(text, start - 1) && isInWord(text, start)) start -= 1;
  return start;
}

/** `length`: of the end that is the same. */
function findWordEnd(text: string, length: number): number {
  let end = length;
  while (end > 0 && isInWord(text, text.length - end - 1) && isInWord(text, text.length - end)) end -= 1;
  return end;
}
