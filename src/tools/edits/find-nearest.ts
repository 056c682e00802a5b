import { withoutInvisible } from '../../text/invisible.ts';
import { findAll } from './find-all.ts';

/** The lines of a file that are most similar to a text that the file does not contain. `first` is a line number, from 1. */
interface Nearest {
  first: number;
  lines: string[];
  /** Undefined when the lines differ in more than one way. */
  difference: 'invisible characters' | 'whitespace' | 'punctuation' | 'letter case' | undefined;
}

const maxTargetLines = 20;
const maxFileLines = 5_000;
const maxLineCharacters = 400;
const maxLineWords = 40;
const minSimilarity = 0.3;

/** Compares the words of each line. Returns undefined when no line is similar. Reads a bounded number of lines and words. */
export function findNearestLines(text: string, target: string): Nearest | undefined {
  const fileLines = text.split(/\r?\n/, maxFileLines);
  const targetLines = trimBlank(target.split(/\r?\n/)).slice(0, maxTargetLines);
  const scores = scoreLines(fileLines.map(wordsOf), targetLines.map(wordsOf));
  const at = scores.reduce((best, score, line) => (score > (scores[best] ?? 0) ? line : best), 0);
  if ((scores[at] ?? 0) / targetLines.length < minSimilarity) return undefined;
  const lines = fileLines.slice(at, at + targetLines.length);
  return { first: at + 1, lines, difference: findDifference(lines.join('\n'), targetLines.join('\n')) };
}

/**
 * For each line of the file, the similarity of the lines from there on to the target lines: the sum of their Dice coefficients by word.
 * Two lines without words count as half.
 */
function scoreLines(file: readonly Set<string>[], target: readonly Set<string>[]): number[] {
  const linesWith = new Map<string, number[]>();
  for (const [line, words] of file.entries()) {
    for (const word of words) {
      const lines = linesWith.get(word) ?? [];
      linesWith.set(word, lines);
      lines.push(line);
    }
  }
  const scores = file.map(() => 0);
  for (const [index, words] of target.entries()) {
    const common = new Map<number, number>();
    for (const line of [...words].flatMap((word) => linesWith.get(word) ?? []))
      common.set(line, (common.get(line) ?? 0) + 1);
    for (const at of scores.keys()) {
      const size = words.size + (file[at + index]?.size ?? 0);
      scores[at] = (scores[at] ?? 0) + (size === 0 ? 0.5 : (2 * (common.get(at + index) ?? 0)) / size);
    }
  }
  return scores;
}

function findDifference(a: string, b: string): Nearest['difference'] {
  const isSame = (simplify: (text: string) => string) => findAll(simplify(a), simplify(b)).length > 0;
  if (isSame(withoutInvisible)) return 'invisible characters';
  if (isSame(withoutSpace)) return 'whitespace';
  if (isSame((text) => withPlainPunctuation(withoutSpace(text)))) return 'punctuation';
  return isSame((text) => withPlainPunctuation(withoutSpace(text)).toLowerCase()) ? 'letter case' : undefined;
}

const withoutSpace = (text: string): string => withoutInvisible(text).replace(/\s+/g, '');

const withPlainPunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201b]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('\u2026', '...');

const wordsOf = (line: string): Set<string> =>
  new Set(
    line
      .slice(0, maxLineCharacters)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, maxLineWords) ?? [],
  );

function trimBlank(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? lines.slice(0, 1) : lines.slice(first, last + 1);
}
