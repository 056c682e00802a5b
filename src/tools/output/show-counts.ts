import { type ToolResult, toolOk } from '../../agent/tool.ts';
import type { CountResult } from '../../workspace/search.ts';
import { joinRows } from './join-rows.ts';
import { formatCount, plural, type ToolLimits } from './limits.ts';

export type Counts = Extract<CountResult, { kind: 'counts' }>;

export const narrow = 'Narrow with path, exclude or a longer pattern.';

/** The files of a search, or how many lines match in each. */
export function showCounts(
  counts: Counts,
  { output, limits }: { output: 'files' | 'counts'; limits: ToolLimits },
): ToolResult {
  if (counts.files.length === 0) return toolOk('no matches');
  const rows = counts.files.map(({ path, lines }) => (output === 'files' ? path : `${path}: ${formatCount(lines)}`));
  const all = [`${summarize(counts)}:`, ...boundRows(rows, limits.maxFiles)];
  return toolOk(joinRows(all, limits.maxCharacters, (rest) => `${rest} more files. ${narrow}`));
}

export function summarize({ files, isCut }: Counts): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const least = isCut ? 'at least ' : '';
  return `${least}${plural(lines, 'line')} in ${plural(files.length, 'file')}`;
}

export function boundRows(rows: readonly string[], maxRows: number): string[] {
  const rest = rows.length - maxRows;
  return rest > 0 ? [...rows.slice(0, maxRows), `... and ${formatCount(rest)} more files. ${narrow}`] : [...rows];
}
