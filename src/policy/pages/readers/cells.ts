import { collapse, type Findings } from '../page-code.ts';
import { scanDrawing } from './drawings.ts';
import { addInclude } from './includes.ts';

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
export function scanCells(findings: Findings, text: string, kind: keyof typeof opening): void {
  const lines = text.split('\n');
  const findEnd = createEnds(lines);
  let left = mostRead * lines.length;
  for (const [at, line] of lines.entries()) {
    const [, mark, header = ''] = (hasMark(line) && opening[kind].exec(line)) || [];
    if (mark === undefined) continue;
    const body = lines.slice(at + 1, left > 0 ? findEnd(at, mark) : at + 1);
    if (left > 0 && left <= body.length) findings.add('cell', text, { shown: header });
    left -= body.length;
    if (drawing.test(header)) {
      for (const each of body) readDrawn(findings, header, each);
      scanDrawing(findings, header.replace(/[{}\s]/g, ''), body.join('\n'));
    } else addCell(findings, header, body);
  }
  for (const [code] of text.matchAll(inline)) findings.add('cell', code);
  if (kind === 'every') for (const [code] of text.matchAll(expression)) findings.add('expression', collapse(code));
}

const hasMark = (line: string): boolean => line.includes('```') || line.includes('~~~');

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
    const mark = hasMark(line) ? closing.exec(line)?.[1] : undefined;
    return mark === undefined ? [] : [{ at, mark }];
  });
  let next = 0;
  return (from, mark) => {
    while ((marks[next]?.at ?? Infinity) <= from) next += 1;
    for (const each of marks.slice(next, next + 1_000)) if (each.mark.startsWith(mark)) return each.at;
    return lines.length;
  };
}

/** Options that people read. */
const caption = /^\s*#\| {0,9}(?:fig|tbl|lst)[-.](?:alt|cap|subcap):(?: +(\S.*))?$/i;
const plainText = /^[a-z0-9](?:[^:#!]|:(?=\S))*$/i;
const quotedText = /^(?:"[^"\\]*"|'[^']*')$/;
const option = /^\s*#\|/;
const namedOption = /^\s*#\| ?[\w.-]+:(?: |$)/;
const below = /^\s*#\|( {2,}| (?=- ))(\S.*)$/;

/** Where an option is written in another way than YAML, knitr reads all as R. */
function withoutCaptions(body: readonly string[]): readonly string[] {
  const first = body.findIndex((line) => !option.test(line));
  const options = (first === -1 ? body : body.slice(0, first)).map((line) => line.trimEnd());
  const isYaml =
    namedOption.test(options[0] ?? '') && options.every((line) => namedOption.test(line) || below.test(line));
  if (!isYaml) return body;
  const starts = options.flatMap((line, at) => (namedOption.test(line) ? [at] : []));
  const parts = starts.map((at, index) => options.slice(at, starts[index + 1]));
  return [...parts.filter((part) => !isCaption(part)).flat(), ...body.slice(options.length)];
}

/** A text in one line, in quotes or not, a list of such, a block of text, or plain text in the lines below. */
function isCaption([name = '', ...lines]: readonly string[]): boolean {
  const [, value] = caption.exec(name) ?? [undefined, '!'];
  const texts = lines.map((line) => below.exec(line)?.[2] ?? '');
  const indents = lines.map((line) => below.exec(line)?.[1]?.length ?? 0);
  const [indent = 2] = indents;
  const isOneText = (text: string) => plainText.test(text) || quotedText.test(text);
  if (value !== undefined)
    return lines.length === 0
      ? isOneText(value)
      : /^[|>]-?$/.test(value) && indent > 1 && indents.every((each) => each >= indent);
  const items = texts.flatMap((text) => /^- {1,20}(\S.*)$/.exec(text)?.[1] ?? []);
  return items.length > 0
    ? items.length === lines.length && items.every(isOneText) && indents.every((each) => each === indent)
    : texts.every((text) => plainText.test(text)) || (texts.length === 1 && quotedText.test(texts[0] ?? ''));
}
