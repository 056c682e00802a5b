import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';

export interface YamlEntry {
  key: string;
  /** A scalar or a list of scalars; an empty object for anything else. */
  value: unknown;
  line: number;
  itemLines: number[];
}

/** Never throws: tags, aliases and broken YAML are problems. Avoids `toJS`, which takes minutes for 60 kB of nested `? `. */
export function readYaml(text: string): { entries: YamlEntry[]; problems: string[] } {
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
  if (!isMap<Node, Node | null>(contents)) {
    return { entries: [], problems: ['The file must have one `name: value` per line'] };
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

const isTooDeep = ({ code }: YAMLError) => code === 'RESOURCE_EXHAUSTION';

function readValue(node: Node | null): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  if (!isSeq<Node>(node)) return {};
  return node.items.map((item) => (isScalar(item) ? item.value : {}));
}

/** The parser's messages quote the file, which may hold anything. */
function toPlainLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.slice(0, 200).replace(/[@#](?=\w)|[^\p{L}\p{N} .,;:()'"!?*&%#@{}/_-]/gu, '?');
}
