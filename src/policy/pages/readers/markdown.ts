import { collapse, type Findings } from '../page-code.ts';
import { scanAttributeLists } from './attribute-lists.ts';
import { blank, blankQuotes } from './blank.ts';
import { listBraces } from './braces.ts';
import { scanCells } from './cells.ts';
import type { Dialect } from './dialect.ts';
import { scanDirective, scanFence } from './directives.ts';
import { scanDrawing } from './drawings.ts';
import { texCommand } from './formulas.ts';
import { endsAttribute, scanElement } from './html/attributes.ts';
import { readPlainHtml, scanElements } from './html/elements.ts';
import { decodeEntities } from './html/entities.ts';
import { scanVueText } from './html/vue.ts';
import { addInclude, readIncludeDirectives } from './includes.ts';
import { isData } from './literals.ts';
import { scanMdc } from './mdc.ts';
import { scanCopiedFiles, scanScriptLinks } from './script-links.ts';
import { scanTemplates } from './templates.ts';
import { findVerbatim, type Verbatim } from './verbatim/verbatim.ts';

/** `{=html}` behind code, or in place of its language. https://pandoc.org/MANUAL.html#generic-raw-attribute */
const rawPart = /\{\s{0,9}=/;

/** Markdown of any reader but MDX. */
export function scanMarkdown(
  findings: Findings,
  text: string,
  { path, dialect }: { path: string; dialect: Dialect },
): void {
  const verbatim = findVerbatim(text, { isMdx: false, readers: dialect.markdown, math: dialect.math });
  const { fences } = verbatim;
  // Where a builder takes code for a part of the page, code of the page may be one.
  const isPart = dialect.cells !== undefined ? rawPart.test(text) : isExpanded(text, verbatim.live, dialect);
  const live = isPart ? text : blankQuotes(verbatim.live);
  const isCell = (info: string) => dialect.cells !== undefined && /^\{[a-z]/i.test(info);
  for (const fence of fences) if (!isCell(fence.info)) scanFence(findings, fence, dialect);
  if (dialect.cells !== undefined) scanCells(findings, text, dialect.cells);
  scanElements(findings, live, text, dialect);
  readIncludeDirectives(findings, live);
  scanScriptLinks(findings, live);
  if (dialect.copiesFiles) scanCopiedFiles(findings, live, path);
  findings.addAddresses(live);
  scanAttributeLists(findings, live, { vue: dialect.vue !== false, mdc: dialect.mdc });
  readContainers(findings, text, { ...verbatim, live }, dialect);
  // HonKit writes the name of a footnote into attributes as it is.
  if (dialect.markdown.includes('kramdown'))
    for (const [name] of live.matchAll(/\[\^[^\]\n]{1,300}/g)) if (endsAttribute(name)) findings.add('event', name);
  if (dialect.markdown.includes('pandoc'))
    for (const [command] of live.matchAll(texCommand)) findings.add('directive', command, { clue: command });
  // Only Markdoc reads its pages.
  if (dialect.isUnknown && !dialect.templates.includes('markdoc'))
    scanTemplates(findings, live, ['liquid', 'hugo', 'mdbook', 'snippets']);
  if (dialect.braces) {
    // mdsvex writes characters and titles as they are.
    scanBraces(findings, decodeEntities(live));
    for (const part of live.split(/\n[ \t]*\n/))
      if (/\](?:\(|:)/.test(part) && endsAttribute(part)) findings.add('event', part);
  }
  if (dialect.markdown.includes('python') || dialect.braces || dialect.isUnknown)
    readHeldCode(findings, verbatim.readUnfenced());
  if (dialect.mdc) scanMdc(findings, live, dialect.components);
  if (dialect.vue) {
    scanVueText(findings, verbatim, dialect.vue);
    readVueIncludes(findings, text, live);
  }
}

/**
 * Python-Markdown and mdsvex write code within the title of a link, or the text of an image, into an attribute as it is.
 * https://facelessuser.github.io/pymdown-extensions/extensions/inlinehilite/
 */
function readHeldCode(findings: Findings, unfenced: string): void {
  for (const part of unfenced.split(/\n[ \t]*\n/)) {
    const image = part.indexOf('![');
    const imageEnd = Math.max(part.lastIndexOf(']('), part.lastIndexOf(']['));
    const open = part.replace(closedLink, blank).indexOf('](');
    if ((image === -1 && open === -1) || !endsAttribute(part)) continue;
    let start = 0;
    for (const code of part.split('`')) {
      const end = start + code.length;
      const isHeld = (image !== -1 && image < start && end < imageEnd) || (open !== -1 && open < start);
      if (start > 0 && isHeld && endsAttribute(code)) {
        findings.add('event', code);
        break;
      }
      start = end + 1;
    }
  }
}

/** A link without a mark of code. */
const closedLink = /\]\([^()"'`[\]]*(?:"[^"`]*"|'[^'`]*')?\s{0,9}\)/g;

/** Whether there are shortcodes in code, which Hugo and Zola replace in the page that they have made. */
function isExpanded(text: string, live: string, { templates }: Dialect): boolean {
  const shortcode = templates.includes('zola') ? /\{[{%](?!\s*\/\*)/g : /\{\{[<%](?!\s*\/\*)/g;
  const isPossible = templates.includes('zola') || templates.includes('hugo');
  return isPossible && Array.from(text.matchAll(shortcode)).some(({ index }) => live[index] === ' ');
}

const role = /\{([a-z][\w:.+-]{0,99})\}`{1,9}(?=([^`]{0,2000})`)/gi;
/** Anywhere in a line: in lists, fields, cells. */
const container = /((?<!`)`{3,}|(?<!~)~{3,}|(?<!:):{3,})[ \t]{0,9}\{([a-z][^}\s]{0,99})\}(.*)$/gim;
const mostOptions = 2_000;
/** Of all directives together, each with those in it. */
const mostRead = ({ length }: string): number => 100_000 + 10 * length;
const documented = /^[ \t>]*:{3}[ \t]+([a-z_]\w*)(?:\.[\w.]+)[ \t]*$/gim;
const loadedModule = /^[ \t>]+(?::(?:module|command):|force_inspection[ \t]*:)[^\n]*/gm;
const included =
  /(?:\{[!*][ \t]{0,9}|\[OAD\(['"]?|!!swagger(?:-http)? |!!![ \t]{0,9}include[ \t]{0,9}\([ \t]{0,9})([^\s!*}'")]{1,300})(?=[ \t]{0,9}(?:[!*]\}|['"]?\)\]|\)[ \t]{0,9}!!!|!!))/g;
/** https://facelessuser.github.io/pymdown-extensions/extensions/blocks/ */
const block = /^[ \t>]*\/{3,}[ \t]*([\w-]+)(?:[ \t]*\|[ \t]*([^\n]*))?((?:\n[ \t>]{4,}[^\n]*){0,20})/gm;
const plainElement =
  /^(?:a|article|aside|d[dlt]|details|div|fig(?:caption|ure)|footer|h[1-6]|header|li|main|nav|[ou]l|p|section|span|summary)(?:[.#][\w-]+)*[ \t]*$/;

/** Roles and directives of MyST, and what plugins of MkDocs read: https://mkdocstrings.github.io, `{! file !}`. */
function readContainers(
  findings: Findings,
  text: string,
  { live, readUnfenced }: Pick<Verbatim, 'live' | 'readUnfenced'>,
  { cells, markdown }: Dialect,
): void {
  const roles = text.includes('}`') ? [...text.matchAll(role)] : [];
  const unfenced = roles.length === 0 ? text : readUnfenced();
  for (const { index, 1: name = '', 2: argument = '' } of roles)
    scanRole(findings, { name, argument, isCode: unfenced[index] !== '{' });
  let left = mostRead(live);
  for (const { index, 0: line, 1: mark = '', 2: name = '', 3: argument = '' } of cells
    ? []
    : live.matchAll(container)) {
    const lines = Array.from(listBody(live, index + line.length, mark), (each) => each.replace(quoteMarks, ''));
    const body = lines.join('\n');
    left -= body.length;
    // Directives without an end: the rest of the page counts as one.
    if (left < 0) findings.add('directive', live.slice(index), { clue: name, shown: line });
    if (left < 0) break;
    scanDirective(findings, { name, argument: argument.trim(), body, isMyst: true });
  }
  for (const [, module = ''] of live.includes(':::') ? live.matchAll(documented) : [])
    findings.add('directive', `::: ${module}`, { clue: `::: ${module}` });
  // Their modules are loaded, too: https://github.com/mkdocs/mkdocs-click
  for (const [option] of markdown.includes('python') ? live.matchAll(loadedModule) : [])
    findings.add('directive', option.trim());
  for (const [, target = ''] of live.matchAll(included)) addInclude(findings, '{! !}', target);
  // https://github.com/mikitex70/plantuml-markdown
  if (/^[ \t>]*::uml::/m.test(live)) scanDrawing(findings, 'plantuml', live);
  // https://github.com/FauconFan/mdbook-cmdrun
  for (const [command] of text.matchAll(/<!--\s{0,99}cmdrun[^\n]*/gi)) findings.add('directive', command);
  for (const { inside } of listBraces(text, '<!--codeinclude-->', '<!--/codeinclude-->'))
    for (const [, target = ''] of inside.matchAll(/\]\(([^()\s]+)/g)) addInclude(findings, 'codeinclude', target);
  for (const [written, name = '', element = '', options = ''] of live.includes('///') ? live.matchAll(block) : [])
    if ((name === 'html' && !plainElement.test(element)) || options.includes('attrs'))
      findings.add('html', written, { clue: element || name });
}

const quoteMarks = /^[ \t]*(?:>[ \t]?){1,99}/;

/** The lines up to the mark that closes a directive, or the last that may hold its options. */
function* listBody(text: string, from: number, mark: string): Generator<string> {
  const last = Math.min(text.length, from + mostOptions);
  for (let at = from; at <= last; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 || end > last ? last : end);
    if (at > from && isClosing(line, mark)) return;
    if (at > from) yield line;
    at += line.length + 1;
  }
}

function isClosing(line: string, mark: string): boolean {
  const text = line.replace(/^[ \t>]+/, '').trimEnd();
  return text.startsWith(mark) && text === mark.charAt(0).repeat(text.length);
}

const knownRole =
  /^(?:abbr|any|code|command|dfn|doc|emphasis|envvar|file|guilabel|kbd|keyword|literal|literal_block|manpage|math|menuselection|mimetype|numref|option|pep|program|ref|regexp|rfc|samp|strong|sub|sup|term|title)$|:/;

/** Roles that run something, or copy a file; one that a page declares may write HTML. */
export function scanRole(
  findings: Findings,
  { name, argument, isCode = false }: { name: string; argument: string; isCode?: boolean },
): void {
  const key = name.toLowerCase();
  if (key === 'download' || key === 'image')
    addInclude(findings, `:${key}:`, argument.replace(/^.*<([^<>]*)>$/s, '$1'));
  else if (/^(?:eval|exec|raw|py:eval|glue:|sh$|command-output|program-?output)/.test(key) || key.startsWith('raw-')) {
    findings.add('directive', `:${key}: ${argument}`, { clue: key });
  } else if (!isCode && !knownRole.test(key)) {
    // Badges are links.
    scanScriptLinks(findings, argument);
    if (/^[^\n<]*</.test(argument)) readPlainHtml(findings, argument);
    // Icons write their classes into a tag.
    if (endsAttribute(argument)) findings.add('event', `:${key}: ${argument}`, { clue: key });
  }
}

/** `@[code](file)` of VuePress; plugins make frames in the same way. https://v2.vuepress.vuejs.org/guide/markdown.html#import-code-blocks */
const imported =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)*@(?:\[([a-z]+)[^\]\n]{0,200}\]|include[ \t]{0,9})\(([^()\n]{1,300})\)/gim;
/** Plugins run the code in such blocks. https://plugin-md-enhance.vuejs.press/guide/demo/ */
const demo =
  /^[ \t>]*:{3,}[ \t]*(?:[a-z]+-demo|demo|(?:[a-z]+-)?playground|sandpack\S*|echarts|chart)\b[\s\S]*?(?:\n[ \t>]*:{3,}[ \t]*$|$(?![\s\S]))/gim;

/** Includes of VitePress, which come before Markdown is read. https://vitepress.dev/guide/markdown#markdown-file-inclusion */
function readVueIncludes(findings: Findings, text: string, live: string): void {
  for (const { inside } of listBraces(text, '<!--', '-->')) {
    const target = /^\s{0,99}@include:\s{0,99}(.*)$/is.exec(inside)?.[1];
    if (target !== undefined) addInclude(findings, '<!--@include:-->', cutRegion(target.trim()));
  }
  for (const [, kind = 'include', target = ''] of live.matchAll(imported)) {
    if (/^(?:code|include)$/i.test(kind)) addInclude(findings, `@${kind}`, cutRegion(target.trim()));
    else scanElement(findings, { tag: 'iframe', attributes: [['src', target]] });
  }
  for (const { 0: block, index } of text.matchAll(demo))
    if (live.startsWith(block.split('\n', 1)[0] ?? '', index)) findings.add('directive', block);
  for (const line of text.split('\n')) {
    const target = /^[\s>]*(?:(?:[-*+:]|\d{1,9}[.)])[\s>]+)*<<<\s*(.*)$/s.exec(line)?.[1];
    if (target !== undefined) addInclude(findings, '<<<', cutRegion(target));
  }
}

const cutRegion = (target: string): string => target.replace(/[#{[].*$/s, '').trim();

/** `{ … }` in text, as Svelte has it. */
function scanBraces(findings: Findings, text: string): void {
  for (const { inside } of listBraces(text, '{', '}')) {
    const source = inside.trim();
    const isComment = source.startsWith('/*') && source.indexOf('*/') === source.length - 2;
    if (source !== '' && !isComment && !isData(source)) findings.add('expression', `{${collapse(source)}}`);
  }
}
