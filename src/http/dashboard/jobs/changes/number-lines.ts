export interface Line {
  kind: 'hunk' | 'add' | 'delete' | 'same';
  before: number | null;
  after: number | null;
  text: string;
}

/** Numbers the lines of a patch: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html */
export function numberLines(patch: readonly string[]): Line[] {
  let [before, after] = [0, 0];
  return patch.flatMap((line): Line[] => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      return [{ kind: 'hunk', before: null, after: null, text: line }];
    }
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ kind: 'add', before: null, after: after++, text }];
    if (line.startsWith('-')) return [{ kind: 'delete', before: before++, after: null, text }];
    if (line.startsWith(' ')) return [{ kind: 'same', before: before++, after: after++, text }];
    return [];
  });
}
