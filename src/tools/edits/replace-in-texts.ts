import type { ThreadTask } from '../../threads/threads.ts';
import { excerptLine } from '../output/excerpt.ts';
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
  /** The line of each place before the change, from 1. */
  lines: number[];
  /** The first changed line, after the change. */
  sample: string;
}

type ReplacedTexts = { kind: 'replaced'; files: ReplacedText[] } | { kind: 'too_large'; path: string };

const maxSmallCharacters = 64 * 1024;
const maxSampleCharacters = 160;

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
      lines: result.lines,
      sample: sampleOf(result.text, result.places[0]?.start ?? 0),
    });
  }
  return { kind: 'replaced', files };
}

function sampleOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
  return excerptLine(line, at - start, maxSampleCharacters);
}
