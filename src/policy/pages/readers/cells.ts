import { collapse, type Findings } from '../page-code.ts';
import { addInclude } from './templates.ts';

/** `{r}`, `{python, echo=FALSE}`: https://quarto.org/docs/computations/execution-options.html. `{{r}}` and `{.r}` show code. */
const opening = {
  braced: /^[\t >]*(?:(?:[-*+]|\d{1,9}[.)])[\t ]+){0,9}(`{3,}|~{3,})[\t ]*(\{[\t ]*[a-z].*)$/i,
  every: /^[\t >]*(?:(?:[-*+]|\d{1,9}[.)])[\t ]+){0,9}(`{3,}|~{3,})[\t ]*([a-z{].*)$/i,
};
const closing = /^[\t >]*(`{3,}|~{3,})[\t ]*$/;
/** Quarto draws them; only a file that they name is more than they show. */
const drawing = /^\{\s*(?:mermaid|dot)\b/;
const drawnFile = /^\s*(?:%%|\/\/)\|\s*file:\s*(\S.*)$/;
/** Of knitr, in code, too. */
const inline = /`(?:r[ #]|\{[a-z]\w{0,20}\}[ \t])[^`]+`/gi;
const expression = /\$\{[^}\n]*\}?/g;
/** More would be cells within cells. */
const mostRead = 4;

/**
 * Code that a build or a browser runs: cells, compared with their options and their whole text. Some builders find them by the lines alone,
 * so that nothing around a cell hides it.
 */
export function readCells(findings: Findings, text: string, kind: keyof typeof opening): void {
  const lines = text.split(/\r\n|[\r\n]/);
  const findEnd = createEnds(lines);
  let left = mostRead * lines.length;
  for (const [at, line] of lines.entries()) {
    const [, mark, header = ''] = opening[kind].exec(line) ?? [];
    if (mark === undefined) continue;
    const body = lines.slice(at + 1, left > 0 ? findEnd(at, mark) : at + 1);
    left -= body.length;
    if (left <= 0) findings.add('cell', text, { shown: header });
    if (drawing.test(header)) for (const each of body) readDrawn(findings, header, each);
    else addCell(findings, header, body);
  }
  for (const [code] of text.matchAll(inline)) findings.add('cell', code);
  if (kind === 'every') for (const [code] of text.matchAll(expression)) findings.add('expression', collapse(code));
}

function addCell(findings: Findings, header: string, body: readonly string[]): void {
  const kept = withoutCaptions(body);
  const clue = kept.reduce((longest, line) => (line.length > longest.length ? line : longest), header).trim();
  // Indentation is part of code.
  const code = kept.map((line) => line.replace(/^[ \t]+/, (blanks) => '·'.repeat(blanks.length)));
  findings.add('cell', [header, ...code].join('\n'), { clue: clue.slice(0, 200), shown: `${header} ${clue}` });
}

function readDrawn(findings: Findings, header: string, line: string): void {
  const [, file] = drawnFile.exec(line) ?? [];
  if (file !== undefined) addInclude(findings, header, file);
}

/** The end that the last of the builders sees: knitr takes any closing mark, others one as long as the opening one. */
function createEnds(lines: readonly string[]): (at: number, mark: string) => number {
  const marks = lines.flatMap((line, at) => {
    const mark = closing.exec(line)?.[1];
    return mark === undefined ? [] : [{ at, mark }];
  });
  let next = 0;
  return (from, mark) => {
    while ((marks[next]?.at ?? Infinity) <= from) next += 1;
    for (const each of marks.slice(next, next + 1_000)) if (each.mark.startsWith(mark)) return each.at;
    return lines.length;
  };
}

/** Options that people read, as one line or as a block of text. */
const caption = /^\s*#\| {0,9}(?:fig|tbl|lst)-(?:alt|cap|subcap):(?: +(?:[a-z][^:#`!]*|"[^"`\\]*")| +([|>]-?))?$/i;
const captionText = /^\s*#\| {2}[^`]*$/;
const option = /^\s*#\|/;
/** Where one of them is written in another way, knitr reads all as R. */
const plainOption = /^\s*#\| ?(?:[\w.-]+:(?: |$)| )/;

function withoutCaptions(body: readonly string[]): readonly string[] {
  const first = body.findIndex((line) => !option.test(line));
  const options = first === -1 ? body : body.slice(0, first);
  if (!options.every((line) => plainOption.test(line))) return body;
  let isText = false;
  const kept = options.filter((line) => {
    if (isText && captionText.test(line)) return false;
    const found = caption.exec(line.trimEnd());
    isText = found?.[1] !== undefined;
    return found === null;
  });
  return [...kept, ...body.slice(options.length)];
}
