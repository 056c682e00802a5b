import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from 'yaml';

/** YAML with places. Unknown tags, such as `!ENV`, are ignored. */
export function readYaml(text: string) {
  const lineCounter = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter, logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  return {
    document,
    fault: error && {
      line: error.linePos?.[0].line ?? 1,
      message: `not valid YAML: ${error.message.split('\n', 1)[0]}`,
    },
    /** Without quotes. */
    locate({ range, type }: Scalar) {
      const [start = 0, end = 0] = range ?? [];
      const quote = type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE' ? 1 : 0;
      return { line: lineCounter.linePos(start).line, start: start + quote, end: end - quote };
    },
  };
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
