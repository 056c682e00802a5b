/**
 * A paragraph with blanks in place of inline code. Only where every line holds whole pairs of marks, none of them escaped or within a tag:
 * then all readers see the same pairs. Else undefined. In a table, a `|` ends a cell, so what holds one is no code there.
 */
export function blankSpans(lines: readonly string[], { isKramdown }: { isKramdown: boolean }): string[] | undefined {
  const isTable = isKramdown || lines.some((line) => delimiterRow.test(line));
  const pairs = lines.map((line) => findPairs(line, { isTable, isKramdown }));
  if (!pairs.every((found) => found !== undefined)) return undefined;
  let isFormula = false;
  return lines.map((line, at) => {
    let kept = '';
    let from = 0;
    for (const [start, end] of pairs[at] ?? []) {
      isFormula ||= line.slice(from, start).includes('$');
      const span = line.slice(start, end);
      // A formula may have begun above, and end in it.
      kept += line.slice(from, start) + (isFormula && span.includes('$') ? span : ' '.repeat(end - start));
      from = end;
    }
    isFormula ||= line.slice(from).includes('$');
    return kept + line.slice(from);
  });
}

/** Below the head of a table. For kramdown, every line with a `|` is a row. */
const delimiterRow = /^[\s>]*[|:-][\s|:-]*$/;

type Pair = readonly [start: number, end: number];

/** Undefined: the marks of the line are not clear. */
function findPairs(
  line: string,
  { isTable, isKramdown }: { isTable: boolean; isKramdown: boolean },
): Pair[] | undefined {
  if (!line.includes('`')) return [];
  const runs = Array.from(line.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
  if (runs.length % 2 !== 0 || line.includes('\\`')) return undefined;
  const pairs: Pair[] = [];
  let from = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const [open, close] = [runs[at], runs[at + 1]];
    if (!open || !close || open.length !== close.length) return undefined;
    // A tag or an address that begins before the mark may hold it.
    const before = line.slice(from, open.index);
    const tag = before.lastIndexOf('<');
    if (tag !== -1 && /^<[a-z/!?]/i.test(before.slice(tag)) && !before.slice(tag).includes('>')) return undefined;
    const inside = line.slice(open.index + open.length, close.index);
    // kramdown shows such a mark itself.
    if (isKramdown && open.length === 1 && /^\s/.test(inside)) return undefined;
    if (!isTable || !inside.includes('|')) pairs.push([open.index, close.index + close.length]);
    from = close.index + close.length;
  }
  return pairs;
}
