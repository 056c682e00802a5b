import type { MarkdownReader } from '../dialect.ts';

export interface OpenFence {
  /** What stands before it: blanks, and marks of quotes. */
  prefix: string;
  mark: string;
  info: string;
  /** It stands behind the mark of a list item. */
  isListItem: boolean;
  /** What it holds: code, text that is read as the page is, or what a directive of MyST makes of it. */
  body: 'code' | 'page' | 'other';
}

const opening = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?(`{3,}|~{3,}|:{3,}(?=[ \t]*\{))/;
const code = /^(?:code|code-block|sourcecode|code-cell|math|mermaid|raw|eval-rst|graphviz|literalinclude)$/i;
const blocks =
  /^(?:note|warning|tip|important|admonition|attention|caution|danger|error|hint|seealso|todo|versionadded|versionchanged|deprecated|topic|sidebar|margin|container|div|class|epigraph|figure|image|list-table|dropdown|tab-set|tab-item|tabs|tab|grid|grid-item|grid-item-card|card|card-carousel|only|aside|contents)$/i;

/** Of blocks that hold others, in one line. */
const outer = /^(?:[\s>*+:-]|\d{1,9}[.)]|\[[^[\]]{1,99}\]:)+(?=`{3}|~{3})/;

/** A fence for some reader, wherever it begins in its line. */
export const findNestedFence = (line: string): OpenFence | undefined =>
  findFence(line) ?? findFence(line.replace(outer, ''));

export function findFence(line: string): OpenFence | undefined {
  const [whole = '', prefix = '', item = '', mark = ''] = opening.exec(line) ?? [];
  if (mark === '') return undefined;
  // A blank of Unicode is no blank for Python-Markdown.
  const info = line.slice(whole.length).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  const name = /^\{([a-z][\w:.+-]*)/i.exec(info)?.[1];
  // https://github.com/tommilligan/mdbook-admonish
  const isPage = (name !== undefined && blocks.test(name)) || /^admonish\b/.test(info);
  // Between colons, other readers see text.
  const isColon = mark.startsWith(':');
  if (isColon && (name === undefined || isPage)) return undefined;
  const body = isPage ? 'page' : name === undefined || (!isColon && code.test(name)) ? 'code' : 'other';
  return { prefix, mark, info, isListItem: item !== '', body };
}

/** Jekyll takes tags of Liquid out before. */
const blankForKramdown = /^[ \t]*(?:\{%[^%]*%\}[ \t]*)?$/;
const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)/;
const pythonBlock = /^[ >]*(?:!!!|\?\?\?\+?|===[!+]?) /;

/** It can begin anywhere, in a list, too, and what stands in it is not indented. */
const quote = /^ {0,3}> $/;

interface Around {
  at: number;
  /** The text of the paragraph that stands right above. */
  above: readonly string[];
  /** No list, quote, definition or table can go on from that paragraph. */
  isPlain: boolean;
}

/** Whether every reader takes a fence for one that begins a block, and not for text. */
export function createFenceTest(
  lines: readonly string[],
  { isMdx, readers }: { isMdx: boolean; readers: readonly MarkdownReader[] },
) {
  const isKnown = (reader: MarkdownReader) => !isMdx && readers.includes(reader);
  const [isPython, isKramdown, isPandoc] = [isKnown('python'), isKnown('kramdown'), isKnown('pandoc')];
  const isCommonMark = readers.every((reader) => reader === 'commonmark');
  const deepest = isPython ? listDeepest(lines) : [];

  return ({ prefix, mark, info, isListItem }: OpenFence, { at, above, isPlain }: Around): boolean => {
    if (isListItem || prefix.includes('\t') || (mark.startsWith('`') && info.includes('`'))) return false;
    // Behind a fence, kramdown knows one word. Without GitHub's rules it knows no backticks, and no blanks before a fence.
    if (isKramdown && (/\s/.test(info) || !blankForKramdown.test(lines[at - 1] ?? ''))) return false;
    if (isKnown('plain kramdown') && (mark.startsWith('`') || prefix !== '')) return false;
    const mayGoOn = above.length > 0 && (!isPlain || /[`~]/.test(above.join()));
    // For mdsvex, a quote goes on in it.
    if (isKnown('unindented') && above.some((line) => line.includes('>'))) return false;
    if (isPandoc && (mayGoOn || prefix !== '' || !pandocInfo.test(info))) return false;
    // With code of four blanks right above it, Python-Markdown takes back that it is a block.
    if ((deepest[at - 1] ?? 0) >= prefix.length + 4) return false;
    const isSuper = readers.includes('superfences');
    if (isPython && (!isPythonInfo(info, isSuper) || (prefix !== '' && !isSuper) || /^ .*>/.test(prefix))) return false;
    if (isMdx || prefix.length < 4 || (isCommonMark && quote.test(prefix))) return true;
    if (readers.includes('unindented') && !isInItem(lines, at, prefix.length)) return false;
    // With four blanks more than the text of a paragraph, it is part of that.
    if (above.length === 0) return true;
    const items = above.flatMap((line) => {
      if (isPython && pythonBlock.test(line)) return line.search(/[!?=]/) + 4;
      return listItem.exec(line)?.[0].length ?? [];
    });
    const column = items.at(-1) ?? Number.POSITIVE_INFINITY;
    return prefix.length >= column && prefix.length < column + 4;
  };
}

/** Whether the text of a list item begins less than four blanks before a column. */
function isInItem(lines: readonly string[], at: number, column: number): boolean {
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? '';
    const width = listItem.exec(line)?.[0].length;
    const indent = line.search(/\S/);
    if (width !== undefined && width <= column)
      return column < width + 4 && (indent < 4 || isInItem(lines, above, indent));
    if (indent !== -1 && indent < column) return false;
  }
  return false;
}

/** Of each line: how far it, or a line above it without a blank line between, is indented. */
function listDeepest(lines: readonly string[]): number[] {
  let deepest = 0;
  return lines.map((line) => {
    const [blanks = ''] = /^ *\t?/.exec(line) ?? [];
    if (line.trim() === '') deepest = 0;
    else deepest = Math.max(deepest, blanks.endsWith('\t') ? Number.POSITIVE_INFINITY : blanks.length);
    return deepest;
  });
}

/** Of a block of code for Pandoc: one word, or attributes. */
const pandocInfo = /^(?:[\w#.+-]*|\{[^{}]*\})$/;

const isPythonInfo = (info: string, isSuper: boolean): boolean =>
  /^[\w#.+-]*[ \t]*$/.test(info) ||
  /^\{[^{}]*\}[ \t]*$/.test(info) ||
  (isSuper && isOptions(info)) ||
  /^[\w#.+-]+ +hl_lines=(?:"[^"]*"|'[^']*')[ \t]*$/.test(info);

const isOptions = (info: string): boolean =>
  /^[\w#.+-]*[ \t]*$/.test(
    info.replace(/(?<![\w-])[\w-]{1,60}=(?:"[^"]{0,500}"|'[^']{0,500}'|[\w.-]{1,99})(?=\s|$)/g, ''),
  );
