/**
 * Splits one line into what is outside of code spans and, at odd places, the code spans with their backticks.
 * A run of backticks without a partner of its length is text. A backslash takes the first backtick out of a run that would open a
 * span, but means nothing to one that closes it. Takes linear time. https://spec.commonmark.org/0.31.2/#code-spans
 */
export function splitCodeSpans(line: string): string[] {
  const parts = line.split(/(`+)/);
  const findPartner = createPartnerFinder(parts);
  const spans = [''];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const escaped = at % 2 === 1 && isEscaping(parts[at - 1] ?? '') ? 1 : 0;
    const partner = at % 2 === 1 ? findPartner(part.length - escaped, at) : undefined;
    if (partner === undefined) {
      spans.push(`${spans.pop()}${part}`);
    } else {
      const outside = `${spans.pop()}${part.slice(0, escaped)}`;
      spans.push(outside, part.slice(escaped) + parts.slice(at + 1, partner + 1).join(''), '');
      at = partner;
    }
  }
  return spans;
}

/** Counted by hand: a regular expression that is anchored at the end takes quadratic time for it. */
function isEscaping(text: string): boolean {
  let start = text.length;
  while (text[start - 1] === '\\') start -= 1;
  return (text.length - start) % 2 === 1;
}

/** Finds the next run of that length behind a place; places must be asked for in ascending order. */
function createPartnerFinder(parts: string[]) {
  const places = new Map<number, number[]>();
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const length = parts[at]?.length ?? 0;
    const known = places.get(length);
    if (known) known.push(at);
    else places.set(length, [at]);
  }
  return (length: number, behind: number): number | undefined => {
    const known = places.get(length) ?? [];
    while ((known.at(-1) ?? Number.POSITIVE_INFINITY) <= behind) known.pop();
    return known.at(-1);
  };
}

/**
 * Whether the line is so plain that what looks like a code span in it is one on GitHub too: not inside HTML, the address of a link
 * or a cell of a table.
 */
export function isPlainLine(line: string): boolean {
  const parts = splitCodeSpans(line);
  return parts.every((part, index) => {
    if (index % 2 === 1) return !part.includes('|');
    // A backtick right behind other characters may be part of a bare address.
    const isApart = index === parts.length - 1 || /^$|\s$/.test(part);
    return isApart && !/[<`$]|\]:|\]\(/.test(part.replace(/\]\([^()\s<]*\)/g, ''));
  });
}

/** How a fenced code block was opened: its run of backticks or tildes, and how many columns from the margin. */
export interface Fence {
  run: string;
  indent: number;
  /** The mark of the list's item that it stands behind. */
  mark: string | undefined;
}

/** The fence that this line opens, however deep, also behind the mark of a list's item. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function findFence(line: string): Fence | undefined {
  const [, prefix = '', mark, backticks, tildes] =
    /^([ \t]*(?:([-*+]|\d{1,9}[.)])[ \t]+)?)(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line) ?? [];
  const run = backticks ?? tildes;
  return run === undefined ? undefined : { run, indent: countColumns(prefix), mark };
}

/** Whether a line ends the code block that the fence opened. */
export function closesFence(line: string, { run, indent }: Fence): boolean {
  const [, space = '', marks = ''] = /^([ \t]*)(`+|~+)[ \t]*$/.exec(line) ?? [];
  return marks.startsWith(run) && countColumns(space) <= indent + 3;
}

/** A tab reaches to the next multiple of four. https://spec.commonmark.org/0.31.2/#tabs */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
