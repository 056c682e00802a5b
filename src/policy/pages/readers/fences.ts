import type { Findings } from '../page-code.ts';
import { readAttributeLists } from './attribute-lists.ts';
import { readDirective } from './directives.ts';

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
const codeNames =
  /^\{(?:code|code-block|sourcecode|code-cell|math|mermaid|raw|eval-rst|graphviz|literalinclude|parsed-literal|[.#=])/;

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

/** Words after the language of a code block that make a build or a browser run it. */
const running = /(?:^|[\s,{:.])(live|exec|vue-live|mdx-code-block|pyodide|jupyter|thebe)(?=$|[\s,}=:])/;

/** `{name} argument` of MyST; `{python}` of Quarto and knitr. */
const braced = /^\{([a-z][^}\s=]*)\}(.*)$/is;

/** A code block that does more than show: `info` is the text after the fence, `body` its content. */
export function readFence(findings: Findings, info: string, body: string): void {
  const [, name, argument = ''] = braced.exec(info) ?? [];
  if (name !== undefined) readDirective(findings, { name, argument: argument.trim(), body });
  else if (running.test(withoutQuotes(info))) findings.add('directive', `${info} ${body}`);
  readAttributeLists(findings, info, { vue: false });
}

const withoutQuotes = (info: string): string => info.replace(/"[^"]*"|'[^']*'/g, '""');
