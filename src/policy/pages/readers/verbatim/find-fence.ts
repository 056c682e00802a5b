export interface OpenFence {
  /** How many quotes it stands in. */
  quotes: number;
  /** How many characters stand before it. */
  indent: number;
  mark: string;
  info: string;
  hasTab: boolean;
  /** It stands behind the mark of a list item. */
  isListItem: boolean;
  /** A directive of MyST, whose body is read. */
  isContainer: boolean;
}

const opening = /^([ \t>]{0,200})((?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?(`{3,}|~{3,})/;
/** Directives of MyST whose body is code. */
const codeNames = /^\{(?:code|code-block|sourcecode|code-cell|math|mermaid|raw|eval-rst|graphviz|literalinclude|[.#=])/;

export function findFence(line: string): OpenFence | undefined {
  const [whole = '', margin = '', item = '', mark = ''] = opening.exec(line) ?? [];
  if (mark === '') return undefined;
  const info = line.slice(whole.length).trim();
  return {
    quotes: margin.split('>').length - 1,
    indent: margin.length + item.length,
    mark,
    info,
    hasTab: margin.includes('\t'),
    isListItem: item !== '',
    isContainer: /^\{[a-z]/i.test(info) && !codeNames.test(info),
  };
}
