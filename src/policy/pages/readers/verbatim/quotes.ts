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
      isQuote = line.includes('>') && marked.test(line);
      return isContinued && line.includes('>') ? line.replace(mark, (marks) => ' '.repeat(marks.length)) : line;
    })
    .join('\n');
}
