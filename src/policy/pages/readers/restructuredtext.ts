import type { Findings } from '../page-code.ts';
import { readDirective } from './directives.ts';
import { isScriptAddress } from './html/attributes.ts';
import { readRole } from './markdown.ts';
import { addFile } from './templates.ts';

const lineEnd = /\r\n|(?!\t)\p{Cc}|[\p{Zl}\p{Zp}]/u;
const codeBlock = /^\.\. (?:code|code-block|sourcecode|highlight|math|productionlist)::(?:[ \t].*)?$/i;
/** Anywhere in a line: in lists, fields, footnotes, tables. */
const directive = /\.\.[ \t]+(?:\|[^|\n]{0,200}\|[ \t]*)?([a-z_][\w:+.-]{0,99}?)[ \t]*::(?=\s|$)/gi;
const role = /:([a-z][\w:+.-]{0,99}):`([^`\n]*)`|`([^`\n]*)`:([a-z][\w:+.-]{0,99}):/gi;
const shown = /(?<![\w`])``[^`\n]+``(?![\w`])/g;

/** Every directive, role and target that docutils could see. Only code blocks that stand alone hide any. */
export function readRestructuredText(findings: Findings, text: string): void {
  const lines = text.split(lineEnd);
  const cells = lines.map((line) => (/^\s*\|.*\|\s*$/.test(line) ? line.replaceAll('|', ' ') : line));
  readTargets(findings, text);
  const hasTable = lines.some((line) => /^\s*=+(?: +=+)+\s*$/.test(line));
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!hasTable && (isCode(lines, at) || isLiteral(lines, at))) {
      at = findBodyEnd(lines, at, 0) - 1;
      continue;
    }
    const cell = cells[at] ?? '';
    for (const { 1: name = '', index, 0: whole } of cell.matchAll(directive)) {
      const argument = cell.slice(index + whole.length).trim();
      readDirective(findings, { name, argument, body: cells.slice(at + 1, findBodyEnd(cells, at, index)).join('\n') });
    }
    readLine(findings, line);
  }
}

/** At the start of a line, behind a blank line; a paragraph of quotes that ends with `::` would go on here. */
function isCode(lines: readonly string[], at: number): boolean {
  if (!codeBlock.test(lines[at] ?? '') || (lines[at - 1] ?? '').trim() !== '') return false;
  let before = at - 1;
  while (before >= 0 && (lines[before] ?? '').trim() === '') before -= 1;
  return !(lines[before] ?? '').trimEnd().endsWith('::');
}

/** A paragraph of one line that ends with `::`, and what is indented below it. */
const isLiteral = (lines: readonly string[], at: number): boolean =>
  /^[A-Za-z][^\\|*`]*[^\\:\s]:?:$/.test((lines[at] ?? '').trimEnd()) &&
  (lines[at] ?? '').trimEnd().endsWith('::') &&
  (lines[at - 1] ?? '').trim() === '' &&
  lines[at + 1]?.trim() === '' &&
  /^[ \t]+\S/.test(lines[at + 2] ?? '');

function findBodyEnd(lines: readonly string[], start: number, indent: number): number {
  let end = start + 1;
  const most = start + 2_000;
  while (end < lines.length && end < most && (lines[end]?.trim() === '' || (lines[end]?.search(/\S/) ?? 0) > indent))
    end += 1;
  return end === most ? start + 1 : end;
}

/** `text <address>`_, `.. _name: address`, `__ address`, and options. docutils takes out blanks and backslashes, and goes on in the next line. */
const target = /<|_[^:`_\n]{0,200}:(?=\s)|(?<!\w)__(?=\s)|:(?:target|link|url|file|href):(?=\s)/gi;

function readTargets(findings: Findings, text: string): void {
  for (const { index, 0: mark } of text.matchAll(target)) {
    const start = index + mark.length;
    const address = text.slice(start, start + 300).replace(/[\s\\]+/g, '');
    if (isScriptAddress(address)) findings.add('address', address.slice(0, 100));
  }
}

/** Images, and roles. */
function readLine(findings: Findings, line: string): void {
  findings.addAddresses(line);
  const live = line.replace(shown, '');
  // docutils makes links of bare addresses, too.
  const bare = /(?<![\w.-])(?:javascript|vbscript):[^\s`]{1,200}/i.exec(live);
  if (bare !== null) findings.add('address', bare[0]);
  for (const [, before, text, other, after] of live.matchAll(role)) {
    readRole(findings, before ?? after ?? '', text ?? other ?? '');
  }
  for (const [, target = ''] of live.matchAll(
    /\.\.[ \t]+(?:\|[^|\n]{0,200}\|[ \t]*)?(?:image|figure)[ \t]*::[ \t]*(\S+)/gi,
  ))
    addFile(findings, target);
}
