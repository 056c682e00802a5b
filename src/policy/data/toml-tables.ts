import { areEqual, type Data } from '../../docs/formats/data.ts';
import { findWindow } from './find-window.ts';
import { parseToml } from './parse-data.ts';

/** `[name]` or `[[name.name]]` alone on its line. In an array, a name that begins like this would be no value. */
const plainHeader = /^\[\[?(?!(?:true|false|inf|nan)\b)[A-Za-z_][\w-]*(?:\.[\w-]+)*\]\]?[ \t]*$/;
const arrayHeader = /^\[\[([A-Za-z_][\w-]*(?:\.[\w-]+)*)\]\][ \t]*\r?(?:\n|$)/;

/** The tables that an edit removes and adds, each as the root of a document. */
interface ChangedTables {
  removed: Data;
  added: Data;
}

/**
 * Reads an edit that only adds, changes or removes whole tables of one array, as `[[redirects]]`: all else means what it did. Undefined for
 * any other edit, and where the lines of the base do not tell its tables.
 */
export function createTableReader(before: string, old: Data): (after: string) => ChangedTables | undefined {
  const headers = listHeaders(before) ?? [];
  if (headers.length === 0) return () => undefined;
  const places = headers.map(({ at }) => at);
  // What is added at the end begins a line of its own.
  if (before.endsWith('\n')) places.push(before.length);
  const counts = Map.groupBy(headers, ({ name }) => name);

  /** Every table of the array has its header on a line that `headers` lists, and none has tables of its own. */
  function isPlainArray(name: string): boolean {
    const array = name.split('.').reduce<Data | undefined>(findChild, old);
    const count = counts.get(`[[${name}]]`)?.length ?? 0;
    const isKnown =
      array === undefined ? count === 0 && !name.includes('.') : Array.isArray(array) && array.length === count;
    return isKnown && !headers.some((header) => header.name.replaceAll('[', '').startsWith(`${name}.`));
  }

  return (after) => {
    const window = findWindow(before, after, places);
    if (window === undefined) return undefined;
    const name = arrayHeader.exec(window.now || window.old)?.[1];
    if (name === undefined || !isPlainArray(name)) return undefined;
    if (window.now !== '' && window.end < before.length && !window.now.endsWith('\n')) return undefined;
    const removed = readTables(window.old, name);
    const added = readTables(window.now, name);
    return removed === undefined || added === undefined ? undefined : { removed, added };
  };
}

/** Strings over several lines, and what ends a line for only one of the two parsers. */
const mayHideLines = /"""|'''|[\u2028\u2029]|\r(?!\n)/;

interface Header {
  at: number;
  name: string;
}

/** Undefined where a line may look like a header and be none, or the other way round. */
function listHeaders(text: string): Header[] | undefined {
  if (mayHideLines.test(text)) return undefined;
  const lines = Array.from(text.matchAll(/^[ \t]*\[.*$/gm), ({ index, 0: line }) => ({ at: index, line }));
  if (!lines.every(({ line }) => plainHeader.test(line))) return undefined;
  return lines.map(({ at, line }) => ({ at, name: line.trimEnd() }));
}

const findChild = (value: Data | undefined, key: string): Data | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;

/** The root of a text that holds nothing but tables of this array. */
function readTables(text: string, name: string): Data | undefined {
  if (text === '') return {};
  if (!text.startsWith(`[[${name}]]`) || mayHideLines.test(text)) return undefined;
  const root = parseToml(text);
  const array = name.split('.').reduce<Data | undefined>(findChild, root);
  if (root === undefined || !Array.isArray(array)) return undefined;
  const alone = name.split('.').reduceRight<Data>((value, key) => ({ [key]: value }), array);
  return areEqual(root, alone) ? root : undefined;
}
