import type { ThreadTask } from '../../threads/threads.ts';
import { showLinesAt } from '../output/lines.ts';
import { replaceOccurrences } from './replace-occurrences.ts';

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
