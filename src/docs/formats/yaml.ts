import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { Data } from './data.ts';

interface YamlFault {
  line: number;
  message: string;
}

/** YAML with places. Unknown tags, such as `!ENV`, are ignored. The schema is that of version 1.2, whatever the text asks for. */
export function readYaml(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    schema: 'core',
    resolveKnownTags: false,
    keepSourceTokens: true,
    logLevel: 'silent',
    prettyErrors: false,
    // The parser's own check takes quadratic time: `findRepeatedKey` does not.
    uniqueKeys: false,
  });
  const lineOf = (position: number) => lineCounter.linePos(position).line;
  const [error] = document.errors;
  return {
    document,
    fault: error && { line: lineOf(error.pos[0]), message: error.message.split('\n', 1)[0] ?? '' },
    lineOf,
    /** Without quotes. */
    locate({ range, type }: Scalar) {
      const [start = 0, end = 0] = range ?? [];
      const quote = type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE' ? 1 : 0;
      return { line: lineOf(start), start: start + quote, end: end - quote };
    },
  };
}

/** Why strict parsers refuse a text, also for a key that a map has twice. */
export function findYamlFault(read: ReturnType<typeof readYaml>): YamlFault | undefined {
  const fault = read.fault ?? findRepeatedKey(read);
  return fault && { line: fault.line, message: `not valid YAML: ${fault.message}` };
}

/** A key that a map has twice: strict parsers refuse it. */
export function findRepeatedKey({ document, lineOf }: Pick<ReturnType<typeof readYaml>, 'document' | 'lineOf'>) {
  let found: YamlFault | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = { line: lineOf(key.range?.[0] ?? 0), message: 'Map keys must be unique' };
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** Where the deepest of these keys begins that the node has. */
export function findYamlPlace(node: unknown, keys: readonly string[]): number {
  const [key, ...others] = keys;
  if (key === undefined) return 0;
  const pair = isMap(node)
    ? node.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
    : undefined;
  const child = isSeq(node) ? node.items[Number(key)] : pair?.value;
  const own = pair === undefined ? child : pair.key;
  return findYamlPlace(child, others) || (isNode(own) && own.range?.[0]) || 0;
}

/** The texts of a node, at any depth, without keys. */
export function listTexts(node: unknown): { node: Scalar; value: string }[] {
  if (isSeq(node)) return node.items.flatMap(listTexts);
  if (isMap(node)) return node.items.flatMap(({ value }) => listTexts(value));
  return isScalar(node) && typeof node.value === 'string' ? [{ node, value: node.value }] : [];
}

/** The pairs of a map whose keys and values are texts. */
export const listPairs = (node: unknown): { key: string; keyNode: Scalar; node: Scalar; value: string }[] =>
  isMap(node)
    ? node.items.flatMap(({ key, value }) =>
        isScalar(key) && isScalar(value) && typeof value.value === 'string'
          ? [{ key: String(key.value), keyNode: key, node: value, value: value.value }]
          : [],
      )
    : [];

/** The options of a plugin in a list of names and maps; undefined: it is not there. */
export function findPlugin(plugins: unknown, name: string): ((key: string) => unknown) | undefined {
  if (isMap(plugins)) return plugins.has(name) ? readOptions(plugins.get(name, true)) : undefined;
  if (!isSeq(plugins)) return undefined;
  for (const item of plugins.items) {
    if (isScalar(item) && item.value === name) return () => undefined;
    if (isMap(item) && item.has(name)) return readOptions(item.get(name, true));
  }
  return undefined;
}

const readOptions = (node: unknown) => (key: string) => (isMap(node) ? node.get(key, true) : undefined);

export const textOf = (node: unknown): string | undefined => {
  const value = isScalar(node) ? node.value : node;
  return typeof value === 'string' ? value : undefined;
};

interface YamlValue {
  value: Data;
  /** Constructs that change other parts, or that YAML 1.1 reads differently: anchors, aliases, tags, merge keys, hidden keys. */
  oddities: string[];
}

/** The value of YAML that means the same to every parser but for its oddities. Undefined for a text that is not one document of valid YAML. */
export function readYamlValue(text: string): YamlValue | undefined {
  const { document, fault } = readYaml(text);
  if (fault !== undefined) return undefined;
  const oddities = [
    ...listOddities(document),
    ...Array.from(text.matchAll(otherBreaks), () => 'an unusual line break'),
  ];
  try {
    // Complex keys take toJS minutes: it writes each as text.
    const value: Data = oddities.includes(complexKey) ? null : document.toJS({ maxAliasCount: 100 });
    return { value, oddities };
  } catch {
    return undefined;
  }
}

const complexKey = 'a complex key';
/** Characters that end a line in YAML 1.1, or are invisible. */
const otherBreaks = /[\u0085\u2028\u2029\uFEFF]|\r(?!\n)/gu;

function listOddities(document: Document.Parsed): string[] {
  const found: string[] = document.directives.docStart ? ['a --- line'] : [];
  visit(document, {
    Map(_, map) {
      found.push(...describeMarks(map));
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) found.push(`the key ${String(name)} twice`);
        keys.add(name);
      }
    },
    Pair(_, pair) {
      found.push(...describeKey(pair));
    },
    Alias(_, { source }) {
      found.push(`the alias *${source}`);
    },
    Value(_, node) {
      found.push(...describeMarks(node));
    },
  });
  return found;
}

const describeMarks = ({ anchor, tag }: { anchor?: string; tag?: string }): string[] => [
  ...(anchor === undefined ? [] : [`the anchor &${anchor}`]),
  ...(tag === undefined ? [] : [`the tag ${tag}`]),
];

function describeKey({ key, srcToken }: Pair): string[] {
  if (!isScalar(key)) return [complexKey];
  const isMarked = srcToken?.start.some(({ type }) => type === 'explicit-key-ind');
  const isEscaped =
    key.type === 'QUOTE_DOUBLE' && srcToken?.key && 'source' in srcToken.key && srcToken.key.source.includes('\\');
  return [
    ...(key.value === '<<' ? ['a merge key <<'] : []),
    ...(isMarked ? ['a key with ?'] : []),
    ...(isEscaped ? ['an escape in a key'] : []),
  ];
}
