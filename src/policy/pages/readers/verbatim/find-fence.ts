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
