import type { Findings } from '../page-code.ts';
import { blank } from './blank.ts';
import { isScriptAddress } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';
import { createOpenTest } from './verbatim/spans.ts';

/** Commands of TeX that read or write a file, run a program, or can be made to. */
export const texCommand =
  /\\(?:input|include(?:graphics|pdf)?|lstinputlisting|verbatiminput|inputminted|write|begin\{filecontents|openin|openout|read|immediate|directlua|usepackage|catcode|csname|special)(?![a-z])[^\n]{0,200}/gi;

const formulaLink = /\\(?:href|url)\s{0,9}\{([^{}\n]{1,300})/g;

/** Commands of TeX that give another command a name, and links whose address may be put together by it. */
const naming = /\\(?:[egx]?def|(?:future)?let|(?:re|provide)?(?:new)?command|(?:re)?newenvironment)(?![a-z])/i;
const openLink = /\\(?:href|url)(?![a-z])(?!\s{0,9}\{(?:https?:\/\/|mailto:|[./]|#(?!\d)))[^\n]{0,80}/gi;

/** MathJax makes links in formulas, wherever they stand. */
export function scanFormulas(findings: Findings, text: string): void {
  if (!text.includes('\\')) return;
  if (naming.test(text)) for (const [link] of text.matchAll(openLink)) findings.add('address', link);
  for (const [token] of text.matchAll(/\\mmlToken[^\n]{0,200}/g)) findings.add('address', token);
  for (const [link, address = ''] of text.matchAll(formulaLink))
    if (isScriptAddress(decodeEntities(address))) findings.add('address', link, { clue: address });
}

const formula = {
  blocks: /(?<![\\$])\$\$[^$\n`<]*\$\$(?!\$)/g,
  inline: /(?<![\\$])\$\$[^$\n`<]*\$\$(?!\$)|(?<![\\$\w])\$(?![\s$])[^$\n`<]*[^$\s`<\\]\$(?![\w$])/g,
};

/** A paragraph with blanks in place of its formulas, where the site shows formulas. */
export function blankFormulas(lines: readonly string[], math: keyof typeof formula | undefined): readonly string[] {
  // A formula may begin or end in code that is not clear.
  if (
    math === undefined ||
    !lines.some((line) => line.includes('$')) ||
    lines.some((line) => line.includes('`') || isOdd(line))
  )
    return lines;
  const isOpen = createOpenTest();
  const shown: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, prefix] = /^([\s>]*)\$\$\s*$/.exec(line) ?? [];
    const end = prefix === undefined ? -1 : findBlockEnd(lines, at, prefix);
    if (end !== -1) {
      shown.push(...lines.slice(at, end + 1).map(blank));
      at = end;
      continue;
    }
    let kept = '';
    let from = 0;
    for (const { 0: all, index } of line.matchAll(formula[math])) {
      const before = line.slice(from, index);
      const isShown = !isOpen(before) && isFormula(all);
      kept += before + (isShown ? blank(all) : all);
      from = index + all.length;
      if (!isShown) isOpen(all);
    }
    isOpen(`${line.slice(from)}\n`);
    shown.push(kept + line.slice(from));
  }
  return shown;
}

/** For Pandoc, it makes a heading of the mark above. */
const underline = /^[\s>]*(?:-+|=+)\s*$/;

/** Of a block whose lines all begin in the same way. */
function findBlockEnd(lines: readonly string[], at: number, prefix: string): number {
  let end = at + 1;
  while (end < lines.length && lines[end]?.replace(/^[\s>]+/, '').trim() !== '$$') end += 1;
  if (end === lines.length || underline.test(lines[at + 1] ?? '')) return -1;
  const isBlock = lines
    .slice(at + 1, end + 1)
    .every((line) => line.startsWith(prefix) && line.slice(prefix.length).trim() !== '' && isFormula(line));
  return isBlock ? end : -1;
}

/** A formula may begin in a line, and end in another one. */
const isOdd = (line: string): boolean => (line.match(/(?<!\\)\$/g)?.length ?? 0) % 2 !== 0;

/** What is a link, an element, or a name that is read or called in braces would be live where the formula is none. */
const isFormula = (text: string): boolean =>
  text.search(texCommand) === -1 && !/\{\s{0,20}(?:[\w$]{2,40}\s{0,20}[.([]|[{`'":]|\/[/*])|<[a-z]|\][(:[]/i.test(text);
