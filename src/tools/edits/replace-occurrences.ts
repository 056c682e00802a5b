import type { ThreadTask } from '../../threads/threads.ts';
import { type ShownPlace, showLinesAt } from '../output/show-places.ts';
import { findAll } from './find-nearest.ts';

type Replacement =
  | { kind: 'replaced'; text: string; lines: number[]; places: ShownPlace[] }
  | { kind: 'not_found' }
  | { kind: 'too_large' }
  | { kind: 'ambiguous'; lines: number[] };

/**
 * Replaces the only occurrence of `oldText`, or every occurrence with `all`. In a file with CRLF line ends, both texts get CRLF, because
 * models write LF. `lines` are the line numbers of the occurrences, from 1; `places` where they are in the new text. `isWhole`: only where
 * the text is not part of a longer word or path name. `too_large`: the result would exceed `maxCharacters`.
 */
export function replaceOccurrences(options: {
  text: string;
  oldText: string;
  newText: string;
  all: boolean;
  isWhole?: boolean;
  maxCharacters: number;
}): Replacement {
  const { text, oldText, newText, all, isWhole = false, maxCharacters } = options;
  const target = withLineEndsOf(text, oldText);
  const replacement = withLineEndsOf(text, newText);
  const found = findAll(text, target);
  const places = isWhole ? found.filter((place) => standsAlone(text, place, target.length)) : found;
  if (places.length === 0) return { kind: 'not_found' };
  const lines = lineNumbersOf(text, places);
  if (places.length > 1 && !all) return { kind: 'ambiguous', lines };
  // Checked before building the text: many long replacements can exceed V8's maximum string length.
  if (text.length + places.length * (replacement.length - target.length) > maxCharacters) return { kind: 'too_large' };
  return {
    kind: 'replaced',
    text: replaceAt(text, places, { length: target.length, replacement }),
    lines,
    places: places.map((place, index) => ({
      start: place + index * (replacement.length - target.length),
      length: replacement.length,
    })),
  };
}

const partOfWord = /[\p{L}\p{N}_-]/u;

/** `#id` may follow a name, but `/install` in `/docs/install` is another path. */
const standsAlone = (text: string, place: number, length: number): boolean => {
  const isFree = (own: string, next: string) => !(partOfWord.test(own) || own === '/') || !partOfWord.test(next);
  const last = place + length - 1;
  return isFree(text[place] ?? '', text[place - 1] ?? '') && isFree(text[last] ?? '', text[last + 1] ?? '');
};

function replaceAt(
  text: string,
  places: readonly number[],
  { length, replacement }: { length: number; replacement: string },
): string {
  const parts: string[] = [];
  let end = 0;
  for (const place of places) {
    parts.push(text.slice(end, place), replacement);
    end = place + length;
  }
  return parts.join('') + text.slice(end);
}

function lineNumbersOf(text: string, places: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    line += text.slice(from, place).split('\n').length - 1;
    from = place;
    return line;
  });
}

/** `added` with CRLF if the text has line breaks and all are CRLF. */
export const withLineEndsOf = (text: string, added: string): string =>
  text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? added.replace(/\r?\n/g, '\r\n') : added;

interface Replacing {
  texts: ReadonlyMap<string, string>;
  oldText: string;
  newText: string;
  isWhole: boolean;
  maxCharacters: number;
}

export interface ReplacedText {
  path: string;
  text: string;
  places: number;
  /** The first changed lines, each once, after the change. */
  lines: { line: number; shown: string }[];
}

type ReplacedTexts = { kind: 'replaced'; files: ReplacedText[] } | { kind: 'too_large'; path: string };

const maxSmallCharacters = 64 * 1024;
const maxShownCharacters = 120;
/** More are only counted. */
const maxShownPlaces = 50;

export const textsTask: ThreadTask<Replacing, ReplacedTexts> = {
  module: import.meta.url,
  work: replaceInTexts,
  isSmall: ({ texts }) => [...texts.values()].reduce((sum, { length }) => sum + length, 0) <= maxSmallCharacters,
};

/** Replaces every occurrence in each text. Texts without one are left out. Linear. */
export function replaceInTexts({ texts, oldText, newText, isWhole, maxCharacters }: Replacing): ReplacedTexts {
  const files: ReplacedText[] = [];
  for (const [path, text] of texts) {
    const result = replaceOccurrences({ text, oldText, newText, all: true, isWhole, maxCharacters });
    if (result.kind === 'too_large') return { kind: 'too_large', path };
    if (result.kind !== 'replaced') continue;
    files.push({
      path,
      text: result.text,
      places: result.places.length,
      lines: showLinesAt(
        result.text,
        result.places.slice(0, maxShownPlaces).map(({ start }) => start),
        maxShownCharacters,
      ).map(({ line, shown }) => ({ line, shown })),
    });
  }
  return { kind: 'replaced', files };
}
