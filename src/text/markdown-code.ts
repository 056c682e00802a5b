/** Text at even indexes, code spans at odd ones. Linear time. https://spec.commonmark.org/0.31.2/#code-spans */
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

/** A loop, because a regular expression anchored at the end takes quadratic time. */
function isEscaping(text: string): boolean {
  let start = text.length;
  while (text[start - 1] === '\\') start -= 1;
  return (text.length - start) % 2 === 1;
}

function createPartnerFinder(parts: string[]) {
  const places = new Map<number, number[]>();
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const length = parts[at]?.length ?? 0;
    const positions = places.get(length);
    if (positions) positions.push(at);
    else places.set(length, [at]);
  }
  return (length: number, after: number): number | undefined => {
    const positions = places.get(length) ?? [];
    while ((positions.at(-1) ?? Number.POSITIVE_INFINITY) <= after) positions.pop();
    return positions.at(-1);
  };
}

export interface OpeningFence {
  run: string;
  indent: number;
  mark: string | undefined;
}

/** Finds an opening fence, also after a list marker. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function findOpeningFence(line: string): OpeningFence | undefined {
  const [, prefix = '', mark, backticks, tildes] =
    /^([ \t]*(?:([-*+]|\d{1,9}[.)])[ \t]+)?)(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line) ?? [];
  const run = backticks ?? tildes;
  return run === undefined ? undefined : { run, indent: countColumns(prefix), mark };
}

export function closesFence(line: string, { run, indent }: OpeningFence): boolean {
  const [, space = '', marks = ''] = /^([ \t]*)(`+|~+)[ \t]*$/.exec(line) ?? [];
  return marks.startsWith(run) && countColumns(space) <= indent + 3;
}

/** A tab ends at a multiple of four columns. https://spec.commonmark.org/0.31.2/#tabs */
function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
