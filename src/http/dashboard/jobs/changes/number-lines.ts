import { readHunk } from './describe-hunk.ts';

export interface Line {
  kind: 'hunk' | 'add' | 'delete' | 'same';
  before: number | null;
  after: number | null;
  text: string;
}

/** Numbers the lines of a patch as in both files. */
export function numberLines(patch: readonly string[]): Line[] {
  let [before, after] = [0, 0];
  return patch.flatMap((line): Line[] => {
    const hunk = readHunk(line);
    if (hunk) {
      [before, after] = [hunk.before.start, hunk.after.start];
      return [{ kind: 'hunk', before: null, after: null, text: line }];
    }
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ kind: 'add', before: null, after: after++, text }];
    if (line.startsWith('-')) return [{ kind: 'delete', before: before++, after: null, text }];
    if (line.startsWith(' ')) return [{ kind: 'same', before: before++, after: after++, text }];
    return [];
  });
}
