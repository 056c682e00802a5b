import { type Document, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';
import { type Data, isMap as isTable } from '../../docs/formats/data.ts';
import { readYaml, readYamlValue } from '../../docs/formats/yaml.ts';

/** The text of one container, without its key. */
interface YamlPart {
  /** Its index in the list of containers. */
  container: number;
  /** Spaces before the key. */
  indent: number;
  text: string;
  /** Its value; undefined if it is not valid YAML on its own. */
  readValue(): Data | undefined;
}

interface YamlToLayOut {
  text: string;
  /** The keys that lead to each container; `*` is each item of a list. */
  containers: readonly (readonly string[])[];
}

/** A text cut into parts and the text around them: `around[0] parts[0] around[1] …`. The keys of parts belong to the text around. */
export interface YamlLayout {
  around: string[];
  parts: YamlPart[];
}

/**
 * Cuts whole lines, at the places where the parser finds the containers. Undefined where these places are not sure: the text is not one
 * document of valid YAML, a container is there twice, shares its lines, or has an alias for a key.
 */
export function layOutYaml({ text, containers }: YamlToLayOut): YamlLayout | undefined {
  const { document, fault } = readYaml(text);
  if (fault !== undefined || /[\u0085\u2028\u2029]|\r/.test(text) || text.indexOf('\uFEFF') > 0) return undefined;
  const cuts: { start: number; end: number; container: number; indent: number; value: unknown }[] = [];
  for (const [container, keys] of containers.entries()) {
    for (const pair of findPairs(document.contents, keys)) {
      const cut = findLines(text, pair);
      if (cut === undefined) return undefined;
      cuts.push({ ...cut, container, value: pair.value });
    }
  }
  cuts.sort((a, b) => a.start - b.start);
  const around: string[] = [];
  let at = 0;
  for (const { start, end } of cuts) {
    if (start < at) return undefined;
    around.push(text.slice(at, start));
    at = end;
  }
  around.push(text.slice(at));
  const parts = cuts.map(({ start, end, container, indent, value }) => {
    const part = text.slice(start, end);
    const readAlone = () => {
      const read = readYamlValue(`${' '.repeat(indent)}k${part}`)?.value;
      return isTable(read) ? read.k : undefined;
    };
    return { container, indent, text: part, readValue: () => (isPlain(value) ? toData(value, document) : readAlone()) };
  });
  return { around, parts };
}

/** Whether a node means the same without the rest of its document. */
function isPlain(node: unknown): boolean {
  if (isMap(node)) return node.items.every(({ key, value }) => isScalar(key) && isPlain(value));
  return isSeq(node) ? node.items.every(isPlain) : node === null || isScalar(node);
}

const toData = (node: unknown, document: Document): Data | undefined =>
  isNode(node) ? node.toJS(document, { maxAliasCount: 0 }) : null;

function findPairs(node: unknown, [key, ...rest]: readonly string[]): Pair[] {
  if (key === '*') return isSeq(node) ? node.items.flatMap((item) => findPairs(item, rest)) : [];
  if (!isMap(node)) return [];
  const pairs = node.items.filter((pair) => isScalar(pair.key) && pair.key.value === key);
  return rest.length === 0 ? pairs : pairs.flatMap(({ value }) => findPairs(value, rest));
}

/** From behind the key to the end of the last line with content. */
function findLines(text: string, { key, value }: Pair) {
  const [keyStart, start] = isScalar(key) ? (key.range ?? []) : [];
  if (keyStart === undefined || start === undefined) return undefined;
  const lead = text.slice(text.lastIndexOf('\n', keyStart - 1) + 1, keyStart);
  const hasRange = isScalar(value) || isMap(value) || isSeq(value);
  const valueEnd = Math.max(hasRange ? (value.range?.[1] ?? start) : start, start);
  if (!/^ *$/.test(lead) || (value !== null && !hasRange)) return undefined;
  // A block ends with a line break.
  const lastContent = text[valueEnd - 1] === '\n' ? valueEnd - 1 : valueEnd;
  const lineEnd = text.indexOf('\n', lastContent);
  const end = lineEnd === -1 ? text.length : lineEnd + 1;
  const isAlone = /^[ \t]*(?:#.*)?\n?$/.test(
    text.slice(value === null ? text.indexOf(':', start) + 1 : lastContent, end),
  );
  return isAlone && text[start] === ':' ? { start, end, indent: lead.length } : undefined;
}

/** The texts of the parts in `text`, if it equals the layout's text around them, and what follows it. */
export function matchLayout(text: string, { around }: YamlLayout): { parts: string[]; rest: string } | undefined {
  const [first = '', ...others] = around;
  if (!text.startsWith(first)) return undefined;
  const parts: string[] = [];
  let at = first.length;
  for (const [index, next] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = next === '' ? findEnd(text, at) : findAtLine(text, next, at, isLast);
    if (found === -1) return undefined;
    parts.push(text.slice(at, found));
    at = found + next.length;
  }
  return { parts, rest: text.slice(at) };
}

/** The end of a value whose key ends the text: before the next key at the top level. */
function findEnd(text: string, from: number): number {
  const found = text.slice(from).search(/\n[^\s#-]/);
  return found === -1 ? text.length : from + found + 1;
}

/** The first place at or behind `from` where a line begins with `part`; for the last part, the last place. */
function findAtLine(text: string, part: string, from: number, isLast: boolean): number {
  const found = isLast ? text.lastIndexOf(part) : text.indexOf(`\n${part}`, from - 1) + 1;
  return found > from && text[found - 1] === '\n' ? found : -1;
}
