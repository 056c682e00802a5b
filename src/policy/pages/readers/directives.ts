import type { Findings } from '../page-code.ts';
import { scanAttributeLists } from './attribute-lists.ts';
import type { Dialect } from './dialect.ts';
import { scanDrawing } from './drawings.ts';
import { endsAttribute, isScriptAddress, isSentence, scanElement } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';
import { addFile, addInclude, quotePath } from './includes.ts';
import { readPageYaml } from './page-yaml.ts';

interface Directive {
  name: string;
  argument: string;
  /** Options and content. */
  body: string;
  /** Its options are YAML. */
  isMyst?: boolean;
}

/** Directives of docutils, Sphinx, MyST and sphinx-design that only show. */
const plain = new Set(
  `attention caution danger error hint important note seealso tip warning todo admonition versionadded versionchanged versionremoved
  deprecated deprecated-removed soft-deprecated code code-block sourcecode parsed-literal highlight math toctree contents index prompt toc glossary centered hlist
  productionlist rubric topic sidebar epigraph highlights pull-quote compound container class table list-table csv-table image figure
  replace unicode date target-notes footer header sectnum section-numbering title tabularcolumns only codeauthor
  sectionauthor line-block cssclass grid grid-item grid-item-card card card-carousel dropdown tab tabs tab-set tab-item tab-set-code
  button-link button-ref badge div margin aside iframe mermaid graphviz digraph graph meta py:module py:currentmodule
  currentmodule module method function class data attribute describe object option program envvar confval setting role`.split(
    /\s+/,
  ),
);
/** Directives whose argument is an address. */
const withAddress = new Set('image figure iframe button-link'.split(' '));
const including = new Set('include literalinclude'.split(' '));
/** Whether the argument is a path or an address, whose lines belong together. */
export const isNamed = (name: string): boolean =>
  withAddress.has(name.toLowerCase()) || including.has(name.toLowerCase());
/** They draw what stands in them, or in the file that they name. */
const drawing = new Set('graphviz mermaid'.split(' '));
/** Options that read a file or fetch an address. */
const reading = /^(?:file|url|diff|stub-file|source-file|pyobject-file)$/i;
/** docutils reads marks in the name, too. */
const option = /^[ \t>]*:((?:[^:\n\\]|\\.){1,80}):(?=\s|$)(.*)$/;
const plainOption = /^:[\w-]+:(?:[ \t]+[^\s"'>|&*!{[%@`#?][^#]*)?$/;
/** Of `meta`, names that only describe. */
const described =
  /^[ \t]*:(?:description|keywords|author|robots|title|property=og\\?:[\w\\:-]{1,40})(?: lang=[\w-]{1,20})?:[^"<>]*$/i;

/** A directive of reStructuredText or MyST. */
export function scanDirective(findings: Findings, { name, argument, body, isMyst = false }: Directive): void {
  const key = name.toLowerCase();
  findings.addAddresses(argument);
  if (withAddress.has(key)) addFile(findings, argument);
  if (isScriptAddress(argument) && (withAddress.has(key) || !isSentence(argument))) findings.add('address', argument);
  const options = isMyst ? readMystOptions(body) : listOptions(`${argument}\n${body}`);
  if (options === undefined) findings.add('directive', `.. ${key}:: ${body}`, { clue: key });
  for (const [name, value] of options ?? []) {
    // Drawings write a text into an attribute as it is.
    if (endsAttribute(value)) findings.add('event', `:${name}: ${value}`, { clue: name });
    if (reading.test(name)) addInclude(findings, `.. ${key}:: ${name.toLowerCase()}`, quotePath(value));
    else if (/^(?:img|image|icon|logo|poster)/i.test(name)) addFile(findings, value);
    // docutils takes blanks and backslashes out of an address.
    else if (isScriptAddress(value.replace(/[\s\\]+/g, '')) && (name === 'target' || !isSentence(value)))
      findings.add('address', value);
  }
  scanDrawing(findings, key, body);
  // Each line is an entry.
  if (key === 'toctree')
    for (const line of body.split('\n')) {
      const address = line.replace(/^[^<]*<|>\s*$/g, '').trim();
      if (isScriptAddress(address)) findings.add('address', address);
    }
  // It names a module of Python that is loaded, and reads the file.
  const parser = including.has(key) ? /^[ \t]{0,99}:?parser:[^\n]{0,200}/im.exec(body)?.[0] : undefined;
  if (parser !== undefined) findings.add('directive', `.. ${key}:: ${parser.trim()}`, { clue: parser.trim() });
  if (including.has(key) || (drawing.has(key) && argument !== '')) addInclude(findings, `.. ${key}::`, argument);
  else if (key === 'iframe') scanElement(findings, { tag: 'iframe', attributes: [['src', argument]] });
  // To document a module is to load it: pages about the same package have the same code.
  else if (/^(?:[a-z]+:)?auto/.test(key))
    findings.add('directive', `.. ${key}:: ${/^[\w-]*/.exec(argument)?.[0] ?? ''}`, { clue: key });
  else if (!isPlain(key, argument, body)) findings.add('directive', `.. ${key}:: ${argument} ${body}`, { clue: key });
}

type Option = readonly [name: string, value: string];

const listOptions = (text: string): Option[] =>
  text.split('\n').flatMap((line) => {
    const [, name, value = ''] = option.exec(line) ?? [];
    return name === undefined ? [] : [[name.replace(/[^\w-]+/g, ''), value.trim()] as const];
  });

/** A block of YAML, or lines of YAML that begin with a colon. Undefined: it cannot be read. */
function readMystOptions(body: string): Option[] | undefined {
  const lines = body.trimStart().split('\n');
  const end = lines.findIndex((line) => !/^\s*:(?!::)/.test(line));
  const marked = lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
  const [, block] = /^\s*---[^\n]*\n([\s\S]*?)(?:\n[ \t]*---|$)/.exec(body) ?? [];
  if (block === undefined && marked.every((line) => plainOption.test(line))) return listOptions(body);
  const read = readPageYaml(block ?? marked.map((line) => line.slice(1)).join('\n'));
  const values = typeof read === 'object' && read !== null ? read : undefined;
  if (values === undefined && block === undefined && marked.every((line) => /^:[\w-]+:(?:\s[^\\]*)?$/.test(line)))
    return listOptions(body);
  // A merged key is one of the block.
  if (values === undefined || '<<' in values) return undefined;
  return [...Object.entries(values).map(([name, value]) => [name, String(value)] as const), ...listOptions(body)];
}

/** A role that is based on `raw` writes HTML, one on `download` copies files; the domains (`py:`, `c:`, `http:` …) describe. */
function isPlain(name: string, argument: string, body: string): boolean {
  if (name === 'role') return !/\(\s*(?:raw|download|eval|exec)/i.test(argument);
  if (name === 'meta') return body.split('\n').every((line) => line.trim() === '' || described.test(line));
  return plain.has(name) || /^(py|c|cpp|js|rst|http|std|math|sd|ts|rust)(?::[a-z-]{1,40}){1,3}$/.test(name);
}

/** Words after the language of a code block that make a build or a browser run it. */
const running =
  /(?:^|[\s,{:.])(live|exec|preview|playground|doc-gen|vue-live|mdx-code-block|pyodide|jupyter|thebe)(?=$|[\s,}=:])/;

/** `{name} argument` of MyST; `{python}` of Quarto and knitr. */
const braced = /^\{([a-z][^}\s=]*)\}(.*)$/is;

/** A code block that does more than show: `info` is the text after the fence, `body` its content. */
export function scanFence(
  findings: Findings,
  { info, body }: { info: string; body: string },
  { titlesCode }: Dialect,
): void {
  const [, name, argument = ''] = braced.exec(info) ?? [];
  if (name !== undefined) scanDirective(findings, { name, argument: argument.trim(), body, isMyst: true });
  else if (running.test(withoutQuotes(info)) && !titlesCode) findings.add('directive', `${info} ${body}`);
  else scanDrawing(findings, info, body);
  // Some write the language into attributes as it is.
  if (/^[^\s{]*["']/.test(info) && endsAttribute(info)) findings.add('event', info);
  // Plugins put a file in place of the code. Some take out all quotes.
  for (const [, quoted = '', bare = ''] of decodeEntities(info).matchAll(
    /(?<![\w-])(?:file|include|import|src)=(?=(?:["']([^"']*)["'])?(\S*))/g,
  ))
    for (const file of [quoted, bare.replace(/["'`{}]/g, '')]) addFile(findings, file);
  if (/^\{[^}]*\.include\b/.test(info)) for (const file of body.split('\n')) addFile(findings, file.trim());
  scanAttributeLists(findings, info, { vue: false });
}

const withoutQuotes = (info: string): string => info.replace(/"[^"]*"|'[^']*'/g, '""');
