import { structuredPatch } from 'diff';
import type { FileDiff } from '../file-diff.ts';
import type { ThreadTask } from '../threads/threads.ts';

/** Two versions of a file. Null: there is none. Undefined: it is no text, or too long. */
interface Versions {
  path: string;
  before: string | null | undefined;
  after: string | null | undefined;
}

export const compareTask: ThreadTask<Versions[], FileDiff[]> = { module: import.meta.url, work: compareTexts };

/** An exact comparison takes quadratic time. */
const limits = { context: 3, maxEditLength: 2_000, timeout: 1_000 };

/** As `git diff` compares them. Without a patch, if they are no texts or differ in too many lines. */
export function compareTexts(files: readonly Versions[]): FileDiff[] {
  return files.map(compareFile);
}

function compareFile({ path, before, after }: Versions): FileDiff {
  const status = before === null ? 'added' : after === null ? 'removed' : 'modified';
  const file = { path, previousPath: null, status, additions: 0, deletions: 0, patch: null } as const;
  if (before === undefined || after === undefined) return file;
  const found = structuredPatch(path, path, before ?? '', after ?? '', '', '', limits);
  if (!found) return file;
  const count = (sign: string) =>
    found.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  // An empty range begins after its line.
  const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  const patch = found.hunks
    .map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join('\n')}`,
    )
    .join('\n');
  return { ...file, additions: count('+'), deletions: count('-'), patch };
}
