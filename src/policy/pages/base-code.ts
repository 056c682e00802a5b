import type { BaseFiles } from '../base-files.ts';
import { keyOf, type PageCode } from './page-code.ts';

/** How many pages of the base are read for one piece of code, nearest first. */
const maxCandidates = 24;
const pagesAtOnce = 6;

/** Answers whether the base has the same code: git searches its pages for the code's clue, and the pages found are read until one has it. */
export function createBaseCode(
  base: BaseFiles,
  readKeys: (path: string, text: string) => Promise<ReadonlySet<string>>,
) {
  const answers = new Map<string, Promise<boolean>>();

  async function search(code: PageCode, path: string): Promise<boolean> {
    if (code.clue === '') return false;
    const found = (await base.findPages(code.clue)).filter((candidate) => candidate !== path);
    const candidates = found.toSorted((a, b) => countShared(b, path) - countShared(a, path)).slice(0, maxCandidates);
    for (let at = 0; at < candidates.length; at += pagesAtOnce) {
      const texts = await base.readTexts(candidates.slice(at, at + pagesAtOnce));
      for (const [candidate, text] of texts) {
        const keys = await readKeys(candidate, text);
        if (keys.has(keyOf(code))) return true;
      }
    }
    return false;
  }

  return {
    /** `path` of the page that the code is for. */
    has(code: PageCode, path: string): Promise<boolean> {
      const key = keyOf(code);
      const answer = answers.get(key) ?? search(code, path);
      answers.set(key, answer);
      // Another write may ask again.
      answer.catch(() => answers.delete(key));
      return answer;
    },
  };
}

function countShared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
