import { parseJsonTree } from '../formats/json.ts';
import { readToml } from '../formats/toml.ts';
import { readYaml } from '../formats/yaml.ts';
import type { Fence } from './list-fences.ts';

export interface DataFault {
  language: string;
  line: number;
  message: string;
}

const languages = new Map([
  ['json', 'JSON'],
  ['yaml', 'YAML'],
  ['yml', 'YAML'],
  ['toml', 'TOML'],
]);
/** The code is of another file, and has a language that looks alike: `yaml title=".browserslistrc"`. */
const otherFile = /\btitle=["'](?![^"']{0,200}\.(?:ya?ml|json[5c]?|toml)\b)[^"'\s]{0,200}(?:\.\w+|rc)["']/i;
/** Longer examples are rare, and take time. */
const maxLength = 20_000;
/** Words behind the language that say that the code is no whole document, or is wrong on purpose. */
const excuse =
  /diff|ignore|invalid|broken|wrong|bad|error|fail|partial|snippet|template|fragment|include|file=|src=|region|\b(?:del|ins)=/i;
/** What writers leave out or leave to the reader, and what other programs replace: `…`, `<name>`, `{{ name }}`, `${NAME}`, marks of highlighters. */
const gap =
  /\.\.\.|…|<[^<>\n"]{1,60}>|\{\{|\{%|\{!|\$\{|\$[A-Z]|<%|%\}|@@|^[ \t]*\.[ \t]*$|\[!code|--8<--|<<<|"""|`{3}|\s\/\/\s|^[ \t]*(?:[+-][ \t]*[{}"]|>|\+\+\+|#include|!include|@import)/m;
/** How a document of YAML begins; other text is a list of words, or the output of a program. */
const yamlStart = /^(?:#|---|%|- |-$|[{[]|["']?[\w./$@ -]{1,80}["']?[ \t]*:(?:\s|$))/;
/** Faults of JSON that describes types or stands for what a program prints, and of several documents in one block. */
const otherJson = /InvalidSymbol|EndOfFileExpected|InvalidCommentToken/;
/** The same for YAML, and for TOML with words in place of values. */
const otherYaml = /^Implicit (?:keys|map keys)|^Unexpected flow-/;
const otherToml = /invalid value/;
/** Comments say that the same key is written in several ways: `# or`. */
const again = /redefine/;

/** Why the data of a code block does not parse. Undefined where it does, or is no whole document by its writer's intention. */
export function findDataFault({ info, code, line, isClosed }: Fence): DataFault | undefined {
  const [word = ''] = info.split(/[\s{,:[(]/, 1);
  const language = languages.get(word.toLowerCase());
  if (language === undefined || !isClosed || excuse.test(info.slice(word.length)) || otherFile.test(info))
    return undefined;
  const text = dedent(code);
  if (text.trim() === '' || text.length > maxLength || gap.test(text)) return undefined;
  const fault =
    language === 'JSON' ? findJsonFault(text) : language === 'YAML' ? findYamlFault(text) : findTomlFault(text);
  if (fault === undefined) return undefined;
  const reason = fault.message.replace(/^not valid \w+: (?:Invalid TOML document: )?/, '');
  return {
    language,
    line: line + fault.line,
    message: `the ${language} of this code block does not parse: ${language === 'JSON' ? toWords(reason) : reason}`,
  };
}

/** `CommaExpected` is `comma expected`. */
const toWords = (code: string): string => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Blocks of lists and components are indented. */
function dedent(lines: readonly string[]): string {
  const widths = lines.filter((each) => each.trim() !== '').map((each) => each.length - each.trimStart().length);
  const least = widths.length === 0 ? 0 : Math.min(...widths);
  return lines.map((each) => each.slice(least).trimEnd()).join('\n');
}

type Fault = { line: number; message: string } | undefined;

const unless = (other: RegExp, fault: Fault): Fault =>
  fault === undefined || other.test(fault.message) ? undefined : fault;

/** Only whole objects and lists. Editors and compilers read comments and commas at the end in files that are called JSON. */
function findJsonFault(text: string): Fault {
  const trimmed = text.trim();
  const isWhole = ['{}', '[]'].includes(`${trimmed[0]}${trimmed.at(-1)}`) && !/^[ \t]*#/m.test(trimmed);
  return isWhole ? unless(otherJson, parseJsonTree(text, { isLenient: true }).fault) : undefined;
}

/** Not of several documents. */
function findYamlFault(text: string): Fault {
  const isWhole = yamlStart.test(text.trimStart()) && !/^---/m.test(text.slice(3));
  const fault = isWhole ? readYaml(text).fault : undefined;
  return unless(otherYaml, fault);
}

function findTomlFault(text: string): Fault {
  const fault = unless(otherToml, readToml(text).fault);
  return /^[ \t]*#/m.test(text) ? unless(again, fault) : fault;
}
