import type { Findings } from '../page-code.ts';
import { scanDrawing } from './drawings.ts';
import { endsAttribute, scanElement, scanTarget } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { decodeEntities } from './html/entities.ts';
import { addFile, addInclude, quotePath } from './includes.ts';

/** AsciiDoc. Files are included in code, too; passthroughs reach the browser as they are. */
export function scanAsciiDoc(findings: Findings, text: string): void {
  const lines = text.split('\n');
  for (const line of lines) {
    for (const { 1: target = '', index } of line.matchAll(/include::([^\s[][^[]{0,500})\[/g)) {
      if (index !== 1 || !line.startsWith('\\')) addInclude(findings, 'include::', quotePath(target));
    }
  }
  const drawings = Array.from(text.matchAll(drawing), ([, language = '']) => language.toLowerCase());
  for (const language of new Set(drawings)) scanDrawing(findings, language, text);
  readPrograms(findings, lines);
  // In values of attributes, and over the cells of a table, marks of code may begin elsewhere.
  const isTable = /^[,:!]={3,}/m.test(text);
  const written = new Set(isTable ? [] : lines.filter((line) => !line.startsWith(':')));
  const shown = blankBlocks(lines).join('\n');
  const expanded = expandAttributes(shown);
  if (expanded === undefined) findings.add('html', '{…}', { shown: 'attributes that hold one another' });
  for (const each of new Set([shown, expanded ?? shown])) {
    for (const line of each.split('\n')) readLine(findings, line, written.has(line));
    for (const part of each.split(/\n[ \t]*\n|\n[|,:!=]={2,}[ \t]*(?=\n)/)) readPart(findings, part);
  }
}

const drawing = /^[ \t]*\[\s*(plantuml|ditaa|graphviz|mermaid)\b/gim;
/** Their text is a program. */
const program = /^\s*\[\s*(?:gnuplot|diagrams|lilypond|tikz|structurizr)\b/i;
const mostPrograms = 50;

function readPrograms(findings: Findings, lines: readonly string[]): void {
  const starts = lines.flatMap((line, at) => (program.test(line) ? [at] : []));
  for (const start of starts.slice(0, mostPrograms)) {
    const open = lines.findIndex((line, at) => at > start && !line.startsWith('.') && line.trim() !== '');
    const end = lines.indexOf(lines[open] ?? '', open + 1);
    findings.add('directive', lines.slice(start, end === -1 ? undefined : end).join('\n'));
  }
  if (starts.length > mostPrograms) findings.add('directive', lines.join('\n'));
}

/** What may go over several lines. */
function readPart(findings: Findings, part: string): void {
  const start = Math.max(0, part.search(/\[|<</));
  for (const pattern of part.includes('"') ? endingQuotes : []) {
    // An attribute in single quotes stands behind a bracket.
    const text = pattern === singleQuotes ? part.slice(start) : part;
    const { index, 0: found } = pattern.exec(text) ?? { 0: '' };
    if (index !== undefined) findings.add('html', text.slice(index, index + 400), { shown: found });
  }
  // References are no tags.
  if (part.includes('<')) readPlainHtml(findings, part.replace(/<<(?=[\w#.:/-]{1,200}(?:,[^<>"']{0,500})?>>)/g, '  '));
}

const delimiter = /^(-{4,}|\.{4,}|`{3}|\/{4,})\s*$/;
/** Of blocks that hold others: they end at the same line, whatever has begun in them. */
const container = /^(?:={4,}|\*{4,}|_{4,}|~{4,}|\+{4,}|--|[|,:!]={3,})\s*$/;
const condition = /^(?:ifn?def::[^[]*\[\]|ifeval::|(endif)::)/;

/** With empty lines in place of what is code for every reader. */
function blankBlocks(lines: readonly string[]): readonly string[] {
  const kept = [...lines];
  // A verse has no blocks in it, and neither has the cell of a table.
  let isClear = !lines.some((line) => /^[ \t]{0,99}\[.{0,99}\bverse\b/.test(line));
  let table: string | undefined;
  const held = new Set<string>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (container.test(line)) {
      const edge = line.trimEnd();
      // In a paragraph, or below a title, it may be none.
      isClear &&= held.has(edge) || isStart(lines, at);
      held.add(edge);
      if (/^[|,:!]=/.test(edge) && (table === undefined || table === edge)) table = table === edge ? undefined : edge;
    }
    const mark = isClear && table === undefined ? delimiter.exec(line)?.[1] : undefined;
    if (mark === undefined) continue;
    const end = lines.findIndex((each, index) => index > at && each.trimEnd() === mark);
    const body = lines.slice(at + 1, end);
    // Behind a block that some reader closes elsewhere, nothing counts as code.
    isClear = end !== -1 && isStart(lines, at) && !body.some((each) => held.has(each.trimEnd())) && isBalanced(body);
    if (!isClear) continue;
    kept.fill('', at, end + 1);
    at = end;
  }
  return kept;
}

/** A block begins behind a blank line or another's edge; with attributes, behind a paragraph, too. */
function isStart(lines: readonly string[], at: number): boolean {
  let hasAttributes = false;
  for (let before = at - 1; ; before -= 1) {
    const line = (lines[before] ?? '').trim();
    if (/^\[.*\]$/.test(line)) {
      if (/subs\s*=|\{|^\[\W*(?:pass|stem|plantuml|ditaa|mermaid|graphviz|[a-z]+diag)/.test(line)) return false;
      hasAttributes = true;
    } else if (!/^\.[^\s.]/.test(line))
      return line === '' || line === '+' || container.test(line) || (hasAttributes && isParagraph(lines, before));
  }
}

/** Without attributes, which may make it code, and which may stand behind blank lines, too. */
function isParagraph(lines: readonly string[], end: number): boolean {
  let at = end;
  for (; (lines[at] ?? '').trim() !== ''; at -= 1)
    if (!/^[\p{L}`*_(-](?!.*(?:::|;;)(?:\s|$))/u.test(lines[at] ?? '')) return false;
  while (at >= 0 && /^\s*$|^(?:\/\/|:|\.[^\s.])/.test(lines[at] ?? '')) at -= 1;
  return !/^\[.*\]\s*$/.test(lines[at] ?? '');
}

/** Every condition begins and ends in the same block. */
function isBalanced(lines: readonly string[]): boolean {
  let depth = 0;
  for (const line of lines) {
    const found = condition.exec(line);
    if (found !== null) depth += found[1] === undefined ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const entry = /^:!?([\w-]{1,80})!?:(.*)$/;
const mostExpanded = 2_000_000;

/** With the values of the page's own attributes, as before macros are read. Undefined: they never end. */
function expandAttributes(text: string): string | undefined {
  const values = new Map([
    ['empty', ''],
    ['blank', ''],
    ['sp', ' '],
  ]);
  for (const line of text.replace(/ \\\n\s{0,99}/g, ' ').split('\n')) {
    const [, name, value = ''] = entry.exec(line) ?? [];
    if (name !== undefined) values.set(name.toLowerCase(), value.trim());
  }
  let expanded = text;
  for (let round = 0; round < 6; round += 1) {
    const next = expanded.replace(/\{([\w-]{1,80})\}/g, (all, name: string) => values.get(name.toLowerCase()) ?? all);
    if (next === expanded) return next;
    if (next.length > mostExpanded + text.length) return undefined;
    expanded = next;
  }
  return undefined;
}

/** In an attribute, or without a space behind it: `JavaScript: the basics` is prose. */
const codeAddress =
  /(?:link=|^:[\w-]+:)["'\s]*(?:javascript|vbscript|data)\s*:|\b(?:javascript|vbscript):(?=\S)|\b(?:javascript|vbscript|data)\{/i;
/** An attribute of another file may hold the rest of such an address. */
const partAddress =
  /(?:link|image|video|audio)::?[^\s[]{0,200}\{[\w-]{1,80}\}[a-z]{0,20}:(?![\d/])|\{counter2?:[\w-]{1,80}:(?!\d{1,9}\}|\w\})/i;
/** Attributes of a document by which a converter loads, runs or reads something, or which it writes into the page as they are. */
const loading =
  /^(?:docinfo|stylesheet|stylesdir|linkcss|scriptsdir|allow-uri-read|data-uri|copycss|source-highlighter|highlightjs|highlightjsdir|rouge|pygments|iconsdir|iconfont|icons|webfonts|mathjaxdir|stem|eqnums|max-width|css-signature|favicon|asset-uri-scheme|cdn|max-include-depth|includedir|partialsdir|examplesdir|attachmentsdir|imagesdir|imagesoutdir|outdir|kroki|plantuml|diagram|ditaa|graphviz|mermaid|backend|doctype|template|safe|base_?dir|docdir|docfile|outfilesuffix|relfile|page-layout|page-template|subs)/i;
/** They only show, or only name a page. */
const plainMacros =
  /^(?:image|video|audio|toc|xref|link|mailto|footnote|anchor|kbd|btn|menu|icon|indexterm2?|ifdef|ifndef|endif|include|https?|ftp|irc|pass|stem|latexmath|asciimath|term)$/;

const macroCall = /(?<![\w:.-])([a-z][\w-]{0,40})(::?)(?!:)([^\s[\]]{0,300})\[(?:[^\]\\]|\\.){0,500}\]?/g;
/** They name no file, which has an ending. */
const plainWords = /^(?:[\w-]{1,99}(?:[,/][\w-]{1,99}){0,9})?$/;
const plainPass = /(?<![\w\\])pass:q\[[^[\]<>&]*\]/g;
const passes =
  /(^|[^\\\w])(?:pass:[a-z,]{0,99}|(?:stem|latexmath|asciimath):[a-z,]{1,99})\[|\+{3}|^\s*\[\W*pass|^\s*\[.*(?:\bsubs|\bstyle\s*=\s*["']?pass)|^:[\w-]*subs|\bset:[\w-]+:/;
const singleQuotes = /(?<=[=,[])[ \t]{0,9}'[^'"]{0,300}"/;
/** A quote that ends the attribute of HTML which its value is written into. */
const endingQuotes = [
  singleQuotes,
  /\[[^[\]"]{0,300}"[^[\]=]{0,300}=[^[\]]{0,300}\](?=[#*_`^~])/,
  /<<[^<>"]{1,200}"/,
  /\b(?:link|xref|image|video|audio|icon|mailto|anchor|https?):[^\s[\]"]{1,300}"\S{0,300}\[/,
];

const literal = /(^|[^\w`+])`\+[^\s`|](?:[^`|]*[^\s`|])?\+`(?![\w`+])/g;
/** Within another mark of code, it is none. */
const isOdd = (before: string): boolean => before.split('`').length % 2 === 0;

/** `isLiteral`: what stands between a mark of code and a plus is only shown. */
function readLine(findings: Findings, line: string, isLiteral: boolean): void {
  if (!/[:[+=]/.test(line)) return;
  const shown = isLiteral
    ? line.replace(literal, (all, before: string, at: number) => (isOdd(line.slice(0, at)) ? all : before))
    : line;
  findings.addAddresses(shown);
  for (const [, macro = ''] of shown.matchAll(/(?:link|xref|image|video|audio|iframe):{1,2}([^\s[]{1,500})(?=\[)/g))
    scanElement(findings, { tag: null, attributes: [['href', decodeEntities(macro.replaceAll('+', ''))]] });
  for (const [, target = ''] of shown.matchAll(/(?:image|video|audio)::?([^\s[:][^[]{0,500})\[/g)) {
    if (!/^(?:https?:|data:|\{)/i.test(target)) addFile(findings, target);
  }
  if (codeAddress.test(decodeEntities(shown)) || partAddress.test(shown)) findings.add('address', shown);
  // Asciidoctor writes names, roles and addresses into attributes as they are.
  if (endsAttribute(line)) findings.add('event', line.trim());
  const attributes = /^\[/.test(shown) ? shown.replace(/(?<=[,=[][ \t]{0,9})"[^"\n]*"(?=[ \t]{0,9}[,\]])/g, '') : '';
  if (/[^\s,=[]"[^\]"]*=/.test(attributes)) findings.add('html', shown.trim());
  const named = entry.exec(shown)?.[1] ?? '';
  if (/^page-(?:aliases|permalink|slug|redirect)/i.test(named) && /\.\.|[\\<>"'{]/.test(shown))
    findings.add('output', shown.trim(), { clue: named });
  if (loading.test(named)) findings.add('front matter', shown.trim(), { clue: named });
  if (/^video::/.test(line)) {
    const player = /youtube|vimeo|wistia/.exec(line)?.[0];
    if (player !== undefined) scanTarget(findings, 'frame', `https://${player}.com`);
  }
  const drawn = /^image::?(https?:[^\s[]*)\[.*\b(?:inline|interactive)\b/.exec(line)?.[1];
  if (drawn !== undefined) scanTarget(findings, 'frame', drawn);
  // These come before marks of code. Without marks of HTML, one with quotes alone only shows.
  if (passes.test(line.replace(plainPass, ''))) findings.add('html', line);
  for (const { 0: written, 1: macro = '', 2: colons = '', 3: target = '', index } of shown.matchAll(macroCall)) {
    if (plainMacros.test(macro)) continue;
    // A block has its line for itself; with plain words, a macro has a name that other pages use.
    const isBlock = index === 0 && colons === '::';
    const isPlain = plainWords.test(target) && (colons === ':' || /\[[\w ,="'-]{0,200}\]$/.test(written));
    const call = isPlain ? `${macro}${colons}` : isBlock ? shown.trim() : written.trim();
    findings.add('directive', call, { clue: `${macro}${colons}` });
  }
  if (
    /^\s*\[\s*(?:plantuml|ditaa|graphviz|[a-z]+diag|vega\w*|gnuplot|msc|svgbob|pikchr|bytefield|tikz)\b/i.test(shown)
  ) {
    findings.add('directive', shown.trim(), { clue: shown.trim() });
  }
}
