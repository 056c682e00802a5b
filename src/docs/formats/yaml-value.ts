import { type Document, isScalar, type Pair, visit } from 'yaml';
import type { Data } from './data.ts';
import { readYaml } from './yaml.ts';

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
