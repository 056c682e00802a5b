import type { Findings } from '../page-code.ts';
import { isNamed, scanDirective } from './directives.ts';
import { isScriptAddress } from './html/attributes.ts';
import { scanRole } from './markdown.ts';

const codeBlock = /^\.\. (?:code|code-block|sourcecode|highlight|math|productionlist)::(?:[ \t].*)?$/i;
/** Anywhere in a line: in lists, fields, footnotes, tables. */
const directive = /\.\.[ \t]+(?:\|[^|\n]{0,200}\|[ \t]*)?([a-z_][\w:+.-]{0,99}?)[ \t]*::(?=\s|$)/gi;
const role = /:([a-z][\w:+.-]{0,99}):`(?=([^`]{0,2000})`)/gi;
const roleBehind = /`:([a-z][\w:+.-]{0,99}):/gi;
const shown = /(?<![\w`])``[^`\n]+``(?![\w`])/g;
const bare = /(?<![\w.-])(?:(?:java|vb|live)script:|data:[\w/+.-]{1,99}[;,])[^\s`]{1,200}/gi;

/** Every directive, role and target that docutils could see. Only code blocks that stand alone hide any. */
export function scanRestructuredText(findings: Findings, text: string): void {
  const lines = text.split('\n');
  const cells = lines.map((line) => (/^\s*\|/.test(line) ? line.replaceAll('|', ' ') : line));
  readTargets(findings, text);
  const hasTable = lines.some((line) => /^\s*=+(?: +=+)+\s*$/.test(line));
  const live: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!hasTable && (isCode(lines, at) || isLiteral(lines, at))) {
      // A caption is text; a literal block has none.
      for (let below = at + 1; (lines[below] ?? '').trim() !== ''; below += 1) live.push(lines[below] ?? '');
      at = findBodyEnd(lines, at, 0) - 1;
      continue;
    }
    // Of a row, both with its edges and without them.
    const written = [line, ...(cells[at] === line ? [] : [cells[at] ?? ''])];
    const found = written.flatMap((cell) => Array.from(cell.matchAll(directive), (match) => ({ cell, match })));
    for (const { cell, match } of found) {
      const { 1: name = '', index, 0: whole } = match;
      const body = cells.slice(at + 1, findBodyEnd(cells, at, cell.search(/\S/)));
      // It goes on up to an empty line or an option.
      const rest = body.findIndex((each) => /^\s*(?:$|:[\w-])/.test(each));
      const argument = [cell.slice(index + whole.length), ...body.slice(0, rest === -1 ? undefined : rest)]
        .map((each) => each.trim())
        .join(isNamed(name) ? '' : ' ');
      scanDirective(findings, { name, argument: argument.trim(), body: body.join('\n') });
    }
    // Its directive may begin in another line.
    if (/(?<!\.)\.\.[ \t]+\|/.test(line) && !/\.\.[ \t]+\|[^|\n]+\|[ \t]+[\w:-]+[ \t]?::(?:\s|$)/.test(line))
      findings.add('directive', line.trim());
    live.push(line);
  }
  readText(findings, live.join('\n'));
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

/** Roles, and bare addresses, of which docutils makes links, too. */
function readText(findings: Findings, text: string): void {
  findings.addAddresses(text);
  const live = text.replace(shown, '');
  for (const [address] of live.replaceAll('\\', '').matchAll(bare)) findings.add('address', address);
  for (const [, name = '', argument = ''] of live.matchAll(role)) scanRole(findings, { name, argument });
  for (const { index, 1: name = '' } of live.matchAll(roleBehind))
    scanRole(findings, { name, argument: live.slice(live.lastIndexOf('`', index - 1) + 1, index) });
}
