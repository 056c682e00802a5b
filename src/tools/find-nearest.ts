/** The lines of a file that are most like a text that was looked for in vain. `first` is a line number, from 1. */
export interface Nearest {
  first: number;
  lines: string[];
  /** What alone is different, when that is so simple. */
  difference: 'whitespace' | 'punctuation' | 'letter case' | undefined;
}

const MAX_WANTED_LINES = 20;
const MAX_FILE_LINES = 20_000;
const MAX_LINE_CHARACTERS = 400;
const MIN_LIKENESS = 0.3;

/** Compares by words, line by line; undefined when nothing is like it. Work is bounded: lines × wanted lines × words. */
export function findNearest(text: string, wanted: string): Nearest | undefined {
  const fileLines = text.split(/\r?\n/).slice(0, MAX_FILE_LINES);
  const wantedLines = trimBlank(wanted.split(/\r?\n/)).slice(0, MAX_WANTED_LINES);
  const fileWords = fileLines.map(wordsOf);
  const wantedWords = wantedLines.map(wordsOf);
  let best = { score: 0, at: 0 };
  for (let at = 0; at < fileLines.length; at += 1) {
    let score = 0;
    for (const [index, words] of wantedWords.entries()) {
      score += likeness(words, fileWords[at + index] ?? NO_WORDS);
    }
    if (score > best.score) {
      best = { score, at };
    }
  }
  if (best.score / wantedLines.length < MIN_LIKENESS) {
    return undefined;
  }
  const lines = fileLines.slice(best.at, best.at + wantedLines.length);
  return { first: best.at + 1, lines, difference: findDifference(lines.join('\n'), wantedLines.join('\n')) };
}

function findDifference(a: string, b: string): Nearest['difference'] {
  const isSame = (simplify: (text: string) => string) => simplify(a).includes(simplify(b));
  if (isSame(withoutSpace)) {
    return 'whitespace';
  }
  if (isSame((text) => withPlainPunctuation(withoutSpace(text)))) {
    return 'punctuation';
  }
  return isSame((text) => withPlainPunctuation(withoutSpace(text)).toLowerCase()) ? 'letter case' : undefined;
}

// \s knows no zero width space, and \u200b is what a page copied from the web has between its words.
const withoutSpace = (text: string): string => text.replace(/[\s\u200b\u2060]+/g, '');

const withPlainPunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201b]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('\u2026', '...');

const NO_WORDS: ReadonlySet<string> = new Set();

const wordsOf = (line: string): ReadonlySet<string> =>
  new Set(
    line
      .slice(0, MAX_LINE_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

/** The share of words that two lines have in common (Dice); two lines without words are alike. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) {
    return 0.5;
  }
  let common = 0;
  for (const word of a) {
    common += b.has(word) ? 1 : 0;
  }
  return (2 * common) / (a.size + b.size);
}

function trimBlank(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? lines.slice(0, 1) : lines.slice(first, last + 1);
}
