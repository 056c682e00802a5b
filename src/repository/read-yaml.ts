import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';

/** One `key: value` at the top of a file. */
export interface YamlEntry {
  key: string;
  /** A scalar, or a list of them; anything that nests deeper or refers to another place is an empty object, which is neither. */
  value: unknown;
  line: number;
  /** The line of each item of a list. */
  itemLines: number[];
}

/**
 * Reads a flat YAML 1.2 file: keys with scalars or lists of scalars. Never throws; tags, aliases and broken YAML are problems,
 * each one sentence. Keys that are given twice come twice.
 *
 * The nodes are read one by one and never by the document's `toJS`, which takes minutes for 60 kB of nested `? `, and resolves aliases.
 */
export function readYaml(text: string): { entries: YamlEntry[]; problems: string[] } {
  const lines = new LineCounter();
  // The schema is named because a directive in the file could choose YAML 1.1, where `off` and `no` are booleans. The parser would compare
  // all keys with one another, in quadratic time, so whoever reads the entries looks for keys that are given twice.
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
    const reason = isTooDeep(fault) ? 'It nests too deeply' : toPlainLine(fault.message);
    return { entries: [], problems: [`Line ${line} cannot be read as YAML: ${reason}`] };
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { entries: [], problems: [] };
  if (!isMap<Node, Node | null>(contents)) {
    return { entries: [], problems: ['The file must be a list of settings, one `name: value` per line'] };
  }
  const lineOf = (node: Node | null) => lines.linePos(node?.range?.[0] ?? 0).line;
  const entries = contents.items.map(({ key, value }) => ({
    key: isScalar(key) ? String(key.value) : '',
    value: readValue(value),
    line: lineOf(key),
    itemLines: isSeq<Node>(value) ? value.items.map(lineOf) : [],
  }));
  return { entries, problems: [] };
}

/** The parser ran out of stack; its message is the runtime's. */
const isTooDeep = ({ code }: YAMLError) => code === 'RESOURCE_EXHAUSTION';

function readValue(node: Node | null): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  if (!isSeq<Node>(node)) return {};
  return node.items.map((item) => (isScalar(item) ? item.value : {}));
}

/** The parser's messages quote the file, which may be long and hold anything. */
function toPlainLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.slice(0, 200).replace(/[@#](?=\w)|[^\p{L}\p{N} .,;:()'"!?*&%#@{}/_-]/gu, '?');
}
