export const blank = (text: string): string => ' '.repeat(text.length);

/** With blanks in place of ranges, which come in order and may overlap; the ends of lines stay. */
export function blankRanges(text: string, ranges: Iterable<readonly [start: number, end: number]>): string {
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    const at = Math.max(from, start);
    if (end <= at) continue;
    kept.push(text.slice(from, at), text.slice(at, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return kept.join('') + text.slice(from);
}

/** Marks of a quote go on in the line below one that has them. */
const marked = /(?:^|[\s\]:>])>/;
const mark = /^[ \t>]*>/;

/** With blanks in place of the marks that continue a quote: what begins above them goes on behind them. As long as the text. */
export function blankQuotes(text: string): string {
  if (!text.includes('>')) return text;
  let isQuote = false;
  return text
    .split('\n')
    .map((line) => {
      const isContinued = isQuote;
      // A line without a mark goes on in it, up to a blank one.
      isQuote = (isContinued && line.trim() !== '') || (line.includes('>') && marked.test(line));
      return isContinued && line.includes('>') ? line.replace(mark, blank) : line;
    })
    .join('\n');
}
