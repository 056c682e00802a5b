const edge = /^\s*(?:---|\+\+\+|\.\.\.|;;;)/;
/** Where it ends for one reader, or what is code for one that knows none. */
const unclear = /^[\s>*+-]*(?:<|`{3}|~{3})/;

/** How many lines the front matter has, which is read for itself. Undefined: readers may differ. */
export function countFrontMatter(lines: readonly string[]): number | undefined {
  const [, fence, rest = ''] = /^\uFEFF?(---|\+\+\+|;;;)(.*)$/.exec(lines[0] ?? '') ?? [];
  if (fence === undefined) return 0;
  const end = lines.findIndex((line, at) => at > 0 && (edge.test(line) || unclear.test(line)));
  const isPlain = /^[ \t]*$/.test(rest) && lines[1]?.trim() !== '';
  if (isPlain && lines[end]?.replace(/(?<![ \t])[ \t]+$/, '') === fence) return end + 1;
  return lines.some((line, at) => at > 0 && edge.test(line)) ? undefined : 0;
}
