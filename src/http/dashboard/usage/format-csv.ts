import type { UsageRow, UsageView } from './usage-row.ts';

/** https://www.rfc-editor.org/rfc/rfc4180. A name that begins like a formula is quoted as text: spreadsheets would run it. */
export function formatCsv(by: UsageView, rows: readonly UsageRow[]): string {
  const head = [by, 'runs', 'turns', 'tokens_in', 'tokens_cached', 'tokens_out', 'cost'];
  const lines = rows.map(({ name, runs, turns, tokensIn, tokensCached, tokensOut, cost }) => [
    ...[name, runs, turns, tokensIn, tokensCached, tokensOut, cost ?? ''],
  ]);
  return [head, ...lines].map((line) => `${line.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
