import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';

export interface YamlEntry {
  key: string;
  /** Scalars, lists and maps. What nests deeper than `maxDepth` is an empty object. */
  value: unknown;
  line: number;
  /** The line of a part of the value: `[0, 'ref']` is `ref` of the first item. Of a missing part, the line of what lacks it. */
  lineAt(path: readonly PropertyKey[]): number;
}

/** How deep maps and lists in the value of an entry may nest. */
const maxDepth = 6;

/** Never throws: tags, aliases and broken YAML are problems. Avoids `toJS`, which takes minutes for 60 kB of nested `? `. */
export function readSettingsYaml(text: string): { entries: YamlEntry[]; problems: string[] } {
  const lines = new LineCounter();
  // `schema`: a directive in the file could choose YAML 1.1, where `off` and `no` are booleans. `uniqueKeys`: the parser's check for
  // duplicates takes quadratic time.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: false,
  });
  const fault = document.errors.find(isTooDeep) ?? document.errors[0] ?? document.warnings[0];
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    const reason = isTooDeep(fault) ? 'it nests too deeply' : toPlainLine(fault.message);
    return { entries: [], problems: [`Line ${line} is not valid YAML: ${reason}`] };
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { entries: [], problems: [] };
  if (!isMap<Node, Node | null>(contents))
    return { entries: [], problems: ['The file must have one `name: value` per line'] };
  const lineOf = (node: Node | null) => lines.linePos(node?.range?.[0] ?? 0).line;
  const entries = contents.items.map(({ key, value }) => ({
    key: nameOf(key),
    value: readValue(value, maxDepth),
    line: lineOf(key),
    lineAt: (path: readonly PropertyKey[]) => lineOf(findPart({ key, value }, path)),
  }));
  return { entries, problems: contents.items.flatMap(({ value }) => findRepeated(value, lineOf, maxDepth)) };
}

const isTooDeep = ({ code }: YAMLError) => code === 'RESOURCE_EXHAUSTION';

const nameOf = (key: Node) => (isScalar(key) ? String(key.value) : '');

function readValue(node: Node | null, depth: number): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  if (depth === 0) return {};
  if (isSeq<Node>(node)) return node.items.map((item) => readValue(item, depth - 1));
  if (!isMap<Node, Node | null>(node)) return {};
  return Object.fromEntries(node.items.map(({ key, value }) => [nameOf(key), readValue(value, depth - 1)]));
}

/** The node whose line a person has to look at. */
function findPart({ key, value }: { key: Node; value: Node | null }, [step, ...rest]: readonly PropertyKey[]): Node {
  if (step === undefined) return key;
  if (isSeq<Node>(value)) {
    const item = typeof step === 'number' ? value.items[step] : undefined;
    return item === undefined ? key : findPart({ key: item, value: item }, rest);
  }
  const pair = isMap<Node, Node | null>(value) ? value.items.find((each) => nameOf(each.key) === step) : undefined;
  return pair === undefined ? key : findPart(pair, rest);
}

/** A name that stands twice is a mistake: people mean only one of its values. */
function findRepeated(node: Node | null, lineOf: (node: Node) => number, depth: number): string[] {
  if (depth === 0) return [];
  if (isSeq<Node>(node)) return node.items.flatMap((item) => findRepeated(item, lineOf, depth - 1));
  if (!isMap<Node, Node | null>(node)) return [];
  const named = Map.groupBy(node.items, ({ key }) => nameOf(key));
  return [...named.values()].flatMap(([first, second]) => [
    ...(first && second ? [`A name appears twice (lines ${lineOf(first.key)} and ${lineOf(second.key)})`] : []),
    ...(first ? findRepeated(first.value, lineOf, depth - 1) : []),
  ]);
}

/** The parser's messages quote the file, which may hold anything. */
function toPlainLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.slice(0, 200).replace(/[@#](?=\w)|[^\p{L}\p{N} .,;:()'"!?*&%#@{}/\]_-]/gu, '?');
}

/** `text`, a map without faults, with these entries; undefined removes one. The rest stays as it is written, comments too. */
export function writeYaml(text: string, changes: Iterable<readonly [name: string, value: unknown]>): string {
  const document = parseDocument(text, { schema: 'core', resolveKnownTags: false });
  for (const [name, value] of changes) {
    if (value === undefined) document.delete(name);
    else document.set(name, document.createNode(value));
  }
  const written = document.toString({ lineWidth: 0 });
  // An empty map is written as `{}`, a document without one as `null`.
  return ['{}', 'null'].includes(written.trim()) ? '' : written;
}
