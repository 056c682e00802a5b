/**
 * Splits one line into what is outside of code spans and, at odd places, the code spans with their backticks.
 * A run of backticks without a partner of its length is text. https://spec.commonmark.org/0.31.2/#code-spans
 */
export function splitCodeSpans(line: string): string[] {
  const parts = line.split(/((?<!\\)`+)/);
  const partners = findPartners(parts);
  const spans = [''];
  for (let at = 0; at < parts.length; at += 1) {
    const partner = partners.get(at);
    if (partner === undefined) {
      spans.push(`${spans.pop()}${parts[at]}`);
    } else {
      spans.push(parts.slice(at, partner + 1).join(''), '');
      at = partner;
    }
  }
  return spans;
}

/** For each run the next one of the same length. */
function findPartners(parts: string[]): Map<number, number> {
  const partners = new Map<number, number>();
  const last = new Map<number, number>();
  for (let at = 1; at < parts.length; at += 2) {
    const length = parts[at]?.length ?? 0;
    const opener = last.get(length);
    if (opener !== undefined) partners.set(opener, at);
    last.set(length, at);
  }
  return partners;
}

/** How a fenced code block was opened: its run of backticks or tildes, and how far from the margin. */
export interface Fence {
  run: string;
  indent: number;
}

/** The fence that this line opens, however deep, also behind the mark of a list's item. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function findFence(line: string): Fence | undefined {
  const [, prefix = '', backticks, tildes] =
    /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line) ?? [];
  const run = backticks ?? tildes;
  return run === undefined ? undefined : { run, indent: prefix.length };
}

/** Whether a line ends the code block that the fence opened. */
export function closesFence(line: string, { run, indent }: Fence): boolean {
  const [, space = '', marks = ''] = /^([ \t]*)(`+|~+)[ \t]*$/.exec(line) ?? [];
  return marks.startsWith(run) && space.length <= indent + 3;
}
