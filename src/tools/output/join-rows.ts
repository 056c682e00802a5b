import { formatCount } from './limits.ts';

/** Joins rows up to a number of characters; then `describeRest` says what is missing and how to see it. */
export function joinRows(
  rows: readonly string[],
  maxCharacters: number,
  describeRest: (count: string) => string,
): string {
  let characters = 0;
  const fitting = rows.findIndex((row) => {
    characters += row.length + 1;
    return characters > maxCharacters;
  });
  return fitting === -1
    ? rows.join('\n')
    : [...rows.slice(0, fitting), `... and ${describeRest(formatCount(rows.length - fitting))}`].join('\n');
}
