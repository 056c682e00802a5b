const inline = /(?<![\\$\w])\$(?![\s$])([^$\n`<]*[^$\s`<\\])\$(?![\w$])/g;
const onLine = /(?<![\\$])\$\$([^$\n`<]*)\$\$(?!\$)/g;

/** A paragraph with blanks in place of its formulas, where the site shows formulas. */
export function blankFormulas(lines: readonly string[], math: 'blocks' | 'inline' | undefined): string[] {
  if (math === undefined) return [...lines];
  let isOpen = false;
  // A block that stays open is no formula for every reader.
  const inside = lines.map((line) => line.replace(/^[\s>]+/, '').trim());
  const isClosed = inside.filter((line) => line === '$$').length % 2 === 0 && !inside.includes('');
  return lines.map((line, at) => {
    const isMark = inside[at] === '$$';
    if (isMark && isClosed) isOpen = !isOpen;
    if (isOpen && !isMark) return isFormula(line) ? blank(line) : line;
    const shown = line.replace(onLine, (all, formula: string) => (isFormula(formula) ? blank(all) : all));
    return math === 'blocks'
      ? shown
      : shown.replace(inline, (all, formula: string) => (isFormula(formula) ? blank(all) : all));
  });
}

const blank = (text: string): string => ' '.repeat(text.length);

/** A name that is read or called in braces would be code where the formula is none. */
const isFormula = (text: string): boolean => !/\{\s{0,20}(?:[\w$]{2,40}\s{0,20}[.([]|[{`'":])|<[a-z]/i.test(text);
