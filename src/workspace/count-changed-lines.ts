import { diffLines } from 'diff';
import type { ThreadTask } from '../threads/threads.ts';

/** `before` and `after`: undefined where there is no file. */
interface Versions {
  before: string | undefined;
  after: string | undefined;
}

interface ChangedLines {
  additions: number;
  deletions: number;
}

const maxSmallCharacters = 2_048;
/** Texts that differ in more lines count as replaced whole: an exact count takes quadratic time. */
const maxEdits = 2_000;

export const changedLinesTask: ThreadTask<Versions[], ChangedLines[]> = {
  module: import.meta.url,
  work: countChangedLines,
  isSmall: (files) => files.reduce((sum, file) => sum + countCharacters(file), 0) <= maxSmallCharacters,
};

/** As `git diff --numstat` counts. */
export function countChangedLines(files: readonly Versions[]): ChangedLines[] {
  return files.map(({ before = '', after = '' }) => {
    const changes = diffLines(before, after, { maxEditLength: maxEdits }) ?? [];
    if (changes.length === 0 && before !== after)
      return { additions: countLines(after), deletions: countLines(before) };
    const sum = (kind: 'added' | 'removed') =>
      changes.reduce((lines, change) => lines + (change[kind] ? change.count : 0), 0);
    return { additions: sum('added'), deletions: sum('removed') };
  });
}

const countLines = (text: string) => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);

const countCharacters = ({ before = '', after = '' }: Versions) => before.length + after.length;
