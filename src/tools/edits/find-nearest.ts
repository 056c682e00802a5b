import { withoutInvisible } from '../../text/invisible.ts';

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

/**
 * The places of `target` in `text`, not overlapping. Knuth, Morris and Pratt's search, because `indexOf` takes text × target steps for a near
 * miss in repetitive text: 2.5 s for 10,000 characters in 2 MiB. `onStep` counts comparisons, for tests.
 */
export function findAll(text: string, target: string, onStep = () => {}): number[] {
  if (target === '' || target.length > text.length) return [];
  const borders = findBorders(target, onStep);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extend(target, borders, matched, text.charCodeAt(at), onStep);
    if (matched === target.length) {
      places.push(at + 1 - matched);
      matched = 0;
    }
  }
  return places;
}

/** For each position of the target: the length of the longest end before it that is also the beginning of the target. */
function findBorders(target: string, onStep: () => void): Int32Array {
  const borders = new Int32Array(target.length);
  for (let at = 1; at < target.length; at += 1) {
    borders[at] = extend(target, borders, borders[at - 1] ?? 0, target.charCodeAt(at), onStep);
  }
  return borders;
}

function extend(target: string, borders: Int32Array, from: number, unit: number, onStep: () => void): number {
  let matched = from;
  for (;;) {
    onStep();
    if (target.charCodeAt(matched) === unit) return matched + 1;
    if (matched === 0) return 0;
    matched = borders[matched - 1] ?? 0;
  }
}
