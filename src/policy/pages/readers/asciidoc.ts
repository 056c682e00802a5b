import type { Findings } from '../page-code.ts';
import { readElement, readTarget } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { addFile, addInclude } from './templates.ts';

const delimiter = /^(-{4,}|\.{4,}|`{3}|\/{4,})\s*$/;

/** AsciiDoc, by its lines. Files are included in code, too; passthroughs reach the browser as they are. */
export function readAsciiDoc(findings: Findings, text: string): void {
  const lines = text.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/);
  // A verse has no blocks in it, and neither has the cell of a table.
  let isClear = !/^[ \t]{0,99}\[.{0,99}\bverse\b/m.test(text);
  let isTable = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    readInclude(findings, line);
    if (/^[|,:!]={3,}\s*$/.test(line)) isTable = !isTable;
    const mark = isClear && !isTable ? delimiter.exec(line)?.[1] : undefined;
    if (mark === undefined) {
      readLine(findings, line);
      continue;
    }
    const end = lines.findIndex((each, index) => index > at && each.trimEnd() === mark);
    // Behind a block that some reader closes elsewhere, nothing counts as code.
    isClear = end !== -1 && isStart(lines, at);
    if (!isClear) continue;
    for (const inside of lines.slice(at + 1, end)) readInclude(findings, inside);
    at = end;
  }
}

/** A block begins behind a blank line, its attributes, or its title. */
function isStart(lines: readonly string[], at: number): boolean {
  const before = (lines[at - 1] ?? '').trim();
  if (/subs\s*=|^\[(?:pass|stem|plantuml|ditaa|mermaid|graphviz|[a-z]+diag)/.test(before)) return false;
  return before === '' || before === '+' || /^\[.*\]$|^\.[^\s.]/.test(before);
}

function readInclude(findings: Findings, line: string): void {
  for (const { 1: target = '', index } of line.matchAll(/include::([^\s[]{1,500})\[/g)) {
    if (index === 1 && line.startsWith('\\')) continue;
    addInclude(findings, 'include::', target);
  }
}

/** In an attribute, or without a space behind it: `JavaScript: the basics` is prose. */
const codeAddress = /(?:link=|^:[\w-]+:)["'\s]*(?:javascript|vbscript|data)\s*:|\b(?:javascript|vbscript):(?=\S)/i;
/** Attributes of a document by which a converter loads, runs or reads something. */
const loading =
  /^(?:docinfo|stylesheet|stylesdir|linkcss|scriptsdir|allow-uri-read|data-uri|copycss|source-highlighter|highlightjs|highlightjsdir|rouge|pygments|iconsdir|iconfont|icons|webfonts|mathjaxdir|stem|max-include-depth|includedir|partialsdir|examplesdir|attachmentsdir|imagesdir|imagesoutdir|outdir|kroki|plantuml|diagram|ditaa|graphviz|mermaid|backend|doctype|template|safe|base_?dir|docdir|docfile|outfilesuffix|relfile|page-layout|page-template|subs)/i;
const entry = /^:!?([\w-]{1,80}):/;
/** They only show, or only name a page. */
const plainMacros =
  /^(?:image|video|audio|toc|xref|link|mailto|footnote|anchor|kbd|btn|menu|icon|indexterm2?|ifdef|ifndef|endif|include|https?|ftp|irc|pass|stem|latexmath|asciimath|term)$/;

const macroCall = /(?<![\w:.-])([a-z][\w-]{0,40})(::?)(?!:)([^\s[\]]{0,300})\[(?:[^\]\\]|\\.){0,500}\]?/g;
const plainPass = /(?<![\w\\])pass:q\[[^[\]<>&]*\]/g;

function readLine(findings: Findings, line: string): void {
  const shown = line.replace(/(^|[^\w`])`\+[^`]*\+`/g, '$1');
  findings.addAddresses(shown);
  for (const [, macro = ''] of shown.matchAll(/(?:link|xref|image|video|audio|iframe):{1,2}([^\s[]{1,500})(?=\[)/g)) {
    readElement(findings, { tag: null, attributes: [['href', macro.replaceAll('+', '')]] });
  }
  for (const [, target = ''] of shown.matchAll(/(?:image|video|audio)::?([^\s[:][^\s[]{0,500})\[/g)) {
    if (!/^(?:https?:|data:|\{)/i.test(target)) addFile(findings, target);
  }
  if (codeAddress.test(shown)) findings.add('address', shown);
  // Asciidoctor writes names, roles and addresses into attributes as they are.
  const event = line.search(/[\s"'/](?:on[a-z]{3,}|srcdoc|formaction)\s*=/i);
  if (event !== -1 && /["']/.test(line.slice(0, event + 1))) findings.add('event', line.trim());
  const named = entry.exec(shown)?.[1] ?? '';
  if (/^page-(?:aliases|permalink|slug|redirect)/i.test(named) && /\.\.|[\\<>"'{]/.test(shown))
    findings.add('output', shown.trim(), { clue: named });
  if (loading.test(named)) findings.add('front matter', shown.trim(), { clue: named });
  if (/^video::/.test(line)) {
    const player = /youtube|vimeo|wistia/.exec(line)?.[0];
    if (player !== undefined) readTarget(findings, 'frame', `https://${player}.com`);
  }
  const passes = /(^|[^\\\w])pass:[a-z,]{0,99}\[|\+{3}|^\s*\[pass|^\s*\[.*\bsubs\s*=|^:[\w-]*subs|\bset:[\w-]+:/;
  // These come before marks of code. Without marks of HTML, one with quotes alone only shows.
  if (passes.test(line.replace(plainPass, ''))) {
    findings.add('html', line);
    readPlainHtml(findings, line);
  } else if (/<(?:script|style|iframe|object|embed|svg|img|a|base|meta|link|form)[\s/>]/i.test(shown)) {
    // A block of passthrough may have begun anywhere above.
    readPlainHtml(findings, shown);
  }
  for (const { 0: written, 1: macro = '', 2: colons = '', 3: target = '', index } of shown.matchAll(macroCall)) {
    if (plainMacros.test(macro)) continue;
    // A block has its line for itself; a macro in text with a plain word has a name that other pages use.
    const isBlock = index === 0 && colons === '::';
    const call = colons === ':' && /^[\w-]*$/.test(target) ? `${macro}:` : written.trim();
    findings.add('directive', isBlock ? shown.trim() : call, { clue: `${macro}${colons}` });
  }
  if (
    /^\s*\[\s*(?:plantuml|ditaa|graphviz|[a-z]+diag|vega\w*|gnuplot|msc|svgbob|pikchr|bytefield|tikz)\b/i.test(shown)
  ) {
    findings.add('directive', shown.trim(), { clue: shown.trim() });
  }
}
