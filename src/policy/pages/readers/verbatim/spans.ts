import { blank } from '../blank.ts';

/**
 * A paragraph with blanks in place of inline code. Only where every line holds whole pairs of marks, none of them escaped or within a tag,
 * a link or attributes, and only shorter ones between two: then all readers see the same pairs. Else undefined. In a table, a `|` ends a cell, so what holds one is no code there.
 */
export function blankSpans(
  lines: readonly string[],
  { isKramdown }: { isKramdown: boolean },
): readonly string[] | undefined {
  if (!lines.some((line) => line.includes('`'))) return lines;
  const isTable = isKramdown || lines.some((line) => delimiterRow.test(line));
  const isOpen = createOpenTest();
  const blanked: string[] = [];
  let isFormula = false;
  for (const line of lines) {
    const runs = Array.from(line.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
    if (runs.length > 0 && line.includes('\\`')) return undefined;
    let shown = '';
    let from = 0;
    for (let at = 0; at < runs.length; at += 1) {
      const open = runs[at];
      do at += 1;
      while (open && (runs[at]?.length ?? Infinity) < open.length);
      const close = runs[at];
      if (!open || !close || open.length !== close.length) return undefined;
      const before = line.slice(from, open.index);
      if (isOpen(before)) return undefined;
      const end = close.index + close.length;
      const inside = line.slice(open.index + open.length, close.index);
      // kramdown shows such a mark itself.
      if (isKramdown && (open.length === 1 || line.includes('|')) && /^\s/.test(inside)) return undefined;
      const span = line.slice(open.index, end);
      isFormula ||= before.includes('$');
      // A formula may have begun above, and end in it.
      const isShown = (isTable && inside.includes('|')) || (isFormula && span.includes('$'));
      shown += before + (isShown ? span : blank(span));
      from = end;
    }
    const rest = line.slice(from);
    isFormula ||= rest.includes('$');
    isOpen(`${rest}\n`);
    blanked.push(shown + rest);
  }
  return blanked;
}

/** Below the head of a table. For kramdown, every line with a `|` is a row. */
const delimiterRow = /^[\s>]*[|:-][\s|:-]*$/;

/** What is whole, and may not hold a mark of code. */
const complete =
  /<\/?[a-z][^<>"'`={}]*(?:= [^<>"'`={}]*){0,9}>|<[a-z][^<>"'`{}]*(?:"[^"<>`]*"[^<>"'`{}]*){1,9}>|<!--[^-`<>]*-->|\]\([^()<>"'`]*(?:\([^()<>"'`]*\)[^()<>"'`]*)?(?:(?:"[^"`]*"|'[^'`]*')\s{0,9})?\)|\]\[[^[\]`]*\](?!\()|\{[^{}`]*\}/gi;
const opening = /<[a-z/!?]|\]\(|\]\[|\{/i;
const address = /:\/\/|www\./i;
const lastWord = /(?<![^\s<>`])[^\s<>`]*$/;

/**
 * Whether a tag, a link, attributes or an address are open at the end of the texts so far, so that a mark may be part of them. Every text
 * goes on from the one before, and starts anew behind inline code.
 */
export function createOpenTest(): (text: string) => boolean {
  let kept = '';
  return (text) => {
    // What goes on for so long may end elsewhere.
    if (kept.length > mostOpen) return true;
    let rest = kept + text;
    let start = rest.search(opening);
    if (start !== -1) {
      // Twice, for braces within braces.
      rest = rest.replace(complete, ' ').replace(complete, ' ');
      start = rest.search(opening);
    }
    kept = start === -1 ? '' : rest.slice(start);
    return kept !== '' || (address.test(rest) && address.test(lastWord.exec(rest)?.[0] ?? ''));
  };
}

const mostOpen = 4_000;
