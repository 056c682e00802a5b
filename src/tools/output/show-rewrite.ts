import type { ThreadTask } from '../../threads/threads.ts';
import { showPlaces } from './show-places.ts';

interface Rewrite {
  before: string;
  after: string;
}

const maxSmallCharacters = 64 * 1024;

export const rewriteTask: ThreadTask<Rewrite, string> = {
  module: import.meta.url,
  work: showRewrite,
  isSmall: ({ before, after }) => before.length + after.length <= maxSmallCharacters,
};

/** The new text from the first to the last changed character. */
export function showRewrite({ before, after }: Rewrite): string {
  if (before === after) return 'it is the same as before';
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shortest - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  return `changed lines are now:\n${showPlaces(after, [{ start, length: after.length - same - start }])}`;
}
