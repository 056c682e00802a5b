import type { Check, Files } from './outcome.ts';

const isPage = /\.(?:mdx?|qmd|rst|adoc)$/;
const leastWords = 4;
/** A line that was rewritten keeps this share of its words. */
const leastShare = 0.6;

const listWords = (line: string): Set<string> =>
  new Set(
    line
      .replace(/\]\([^()\s]*\)/g, ']')
      .toLowerCase()
      .match(/\p{L}{3,}/gu),
  );

const listLines = (files: Files): string[] =>
  [...files].flatMap(([path, text]) => (isPage.test(path) ? text.split('\n') : []));

/** No sentence is lost: each line of a page, but for rows of tables, stays, moves, or becomes one with most of its words. `drops`: lines that were to go. */
export const keepsText =
  (drops: RegExp): Check =>
  ({ before, after }) => {
    const [old, stayed] = [new Set(listLines(before)), new Set(listLines(after))];
    const written = [...stayed.difference(old)].map(listWords);
    return [...old]
      .filter((line) => !stayed.has(line) && !line.startsWith('|') && !drops.test(line))
      .filter((line) => {
        const words = listWords(line);
        const isKept = written.some((others) => words.intersection(others).size >= words.size * leastShare);
        return words.size >= leastWords && !isKept;
      })
      .map((line) => `a sentence is lost: ${line.trim()}`);
  };
