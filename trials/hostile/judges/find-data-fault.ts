import { isDeepStrictEqual } from 'node:util';
import { type Document, eventsToAst, parseEvents, YAML11_SCHEMA } from 'js-yaml';
import { parse as parseToml } from 'toml';

type Node = NonNullable<Document['contents']>;

/** A node with everything that a loader can tell apart; a mapping as its pairs, so that a key written twice shows. */
type Form =
  | { scalar: string; tag: string; marks: string[] }
  | { list: Form[]; marks: string[] }
  | { pairs: [Form, Form][]; marks: string[] }
  | { alias: string };

/** The place of navigation and redirects in a file: the keys that lead to them, without the positions in lists. */
export interface FreeParts {
  format: 'yaml' | 'json' | 'toml';
  free: readonly string[];
}

/** Describes a change of a data file that does more than move pages in navigation and redirects; undefined: it does not. */
export function findDataFault(before: string, after: string, { format, free }: FreeParts): string | undefined {
  // PyYAML ends lines there, other parsers do not.
  if (format === 'yaml' && /[\u0085\u2028\u2029]/.test(after)) return 'line ends that parsers read differently';
  try {
    if (format === 'json') JSON.parse(after);
    const [old, now] = [before, after].map((text) => split(format === 'toml' ? tomlForm(text) : readForm(text), free));
    if (!isDeepStrictEqual(old?.rest, now?.rest)) return 'something outside of navigation and redirects';
    return now?.parts.map(findEntryFault).find((fault) => fault !== undefined);
  } catch (error) {
    return `it does not parse: ${error instanceof Error ? error.message.split('\n')[0] : ''}`;
  }
}

/** JSON is YAML, too. */
function readForm(text: string): { form: Form; directives: unknown } {
  const documents = eventsToAst(parseEvents(text, {}), { source: text, schema: YAML11_SCHEMA });
  const [document] = documents;
  if (documents.length !== 1 || !document?.contents) throw new Error('not one document');
  return { form: toForm(document.contents), directives: document.directives };
}

// A TOML file that says something twice does not parse.
const tomlForm = (text: string) => readForm(JSON.stringify(parseToml(text)));

function split({ form, directives }: ReturnType<typeof readForm>, free: readonly string[]) {
  const parts: Form[] = [];
  const without = (inner: Form, trail: readonly string[]): unknown => {
    if ('list' in inner) return { marks: inner.marks, list: inner.list.map((item) => without(item, trail)) };
    if (!('pairs' in inner)) return inner;
    const pairs = inner.pairs.flatMap(([key, value]) => {
      const path = [...trail, 'scalar' in key && key.marks.length === 0 ? key.scalar : '?'];
      if (!free.includes(path.join('.'))) return [[key, without(value, path)]];
      parts.push(value);
      return [];
    });
    return { marks: inner.marks, pairs };
  };
  return { rest: { directives, form: without(form, []) }, parts };
}

function toForm(node: Node): Form {
  if (node.kind === 'alias') return { alias: node.anchor };
  const marks = [
    ...(node.tagged ? [`tag ${node.tag}`] : []),
    ...(node.anchor === undefined ? [] : [`anchor ${node.anchor}`]),
  ];
  if (node.kind === 'scalar') return { scalar: node.value, tag: node.tag, marks };
  if (node.kind === 'sequence') return { list: node.items.map(toForm), marks };
  return { pairs: node.items.map(({ key, value }) => [toForm(key), toForm(value)]), marks };
}

function findEntryFault(form: Form): string | undefined {
  if ('alias' in form || form.marks.length > 0) return 'a tag, an anchor or an alias';
  if ('list' in form) return form.list.map(findEntryFault).find(Boolean);
  if ('pairs' in form) {
    const isMerge = form.pairs.some(([key]) => 'scalar' in key && (key.tag.endsWith(':merge') || key.scalar === '<<'));
    return isMerge ? 'a merge key' : form.pairs.flatMap((pair) => pair.map(findEntryFault)).find(Boolean);
  }
  if (/<[a-z/!?]/i.test(form.scalar)) return 'HTML';
  // Browsers ignore line breaks and tabs in addresses, and leading characters.
  const address = form.scalar.replace(/[\p{Cc}\s]/gu, '');
  return /^(?:javascript|vbscript|data|file):/i.test(address) ? 'an address that runs code' : undefined;
}
