import { type AnyNode, type Comment, parse } from 'acorn';

/** A configuration, split into code and texts. */
interface Reading {
  /** The source of each part that does something, and of each key that is more than a name. */
  live: string[];
  /** Each text and number outside of entries, with the keys that lead there. */
  fixed: string[];
  /** Each text and key within entries. */
  entries: string[];
  /** Comments that tools obey. */
  obeyed: string[];
}

/** Describes a change of a configuration in JavaScript that does more than move entries; undefined: it does not. `free`: keys of entries. */
export function findCodeFault(before: string, after: string, free: readonly string[]): string | undefined {
  try {
    const [old, now] = [read(before, free), read(after, free)];
    const live = findNew(old.live, now.live);
    if (live !== undefined) return `code that is new: ${live}`;
    const fixed = findNew(old.fixed, now.fixed) ?? findNew(now.fixed, old.fixed);
    if (fixed !== undefined) return `something outside of entries: ${fixed}`;
    const obeyed = findNew(old.obeyed, now.obeyed);
    if (obeyed !== undefined) return `a comment that tools obey: ${obeyed}`;
    return (
      (findNew(old.entries, now.entries) &&
        now.entries
          .filter((entry) => !old.entries.includes(entry))
          .map(findEntryFault)
          .find(Boolean)) ||
      undefined
    );
  } catch (error) {
    return `it does not parse: ${error instanceof Error ? error.message : ''}`;
  }
}

function findNew(before: readonly string[], after: readonly string[]): string | undefined {
  const left = [...before];
  return after.find((item) => {
    const at = left.indexOf(item);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Nodes with a text, or only with other nodes. */
const plain = new Set([
  'Program',
  'Literal',
  'TemplateLiteral',
  'TemplateElement',
  'ArrayExpression',
  'ObjectExpression',
  'Property',
]);

function read(text: string, free: readonly string[]): Reading {
  const comments: Comment[] = [];
  const isModule = /^(?:import|export)\b/m.test(text);
  const program = parse(text, {
    ecmaVersion: 'latest',
    sourceType: isModule ? 'module' : 'script',
    onComment: comments,
    allowHashBang: false,
  });
  const reading: Reading = { live: [], fixed: [], entries: [], obeyed: [] };
  for (const { value } of comments)
    if (/@ts-|@jsx|eslint|sourceMapping|<reference|[\u2028\u2029\r]/.test(value)) reading.obeyed.push(value);
  visit(program, [], reading, { text, free });
  return reading;
}

interface Reader {
  text: string;
  free: readonly string[];
}

function visit(node: AnyNode, trail: readonly string[], reading: Reading, reader: Reader): void {
  const isFree = trail.some((key) => reader.free.includes(key));
  const source = reader.text.slice(node.start, node.end);
  const isText =
    node.type === 'Literal'
      ? !('regex' in node) && !('bigint' in node)
      : node.type === 'TemplateLiteral' && node.expressions.length === 0;
  if (isText) {
    const value =
      node.type === 'Literal'
        ? String(node.value)
        : (node.type === 'TemplateLiteral' && node.quasis[0]?.value.cooked) || '';
    if (isFree) reading.entries.push(`${shown.has(trail.at(-1) ?? '') ? 'text' : 'link'} ${value}`);
    else reading.fixed.push(`${trail.join('.')}: ${value}`);
    return;
  }
  if (!plain.has(node.type) || node.type === 'TemplateLiteral' || node.type === 'Literal') {
    // The source of a parent of entries changes with them.
    reading.live.push(holdsEntries(node) ? node.type : `${node.type} ${source}`);
  }
  if (node.type === 'ArrayExpression' && node.elements.includes(null)) reading.live.push('a hole');
  if (node.type === 'Property') {
    const key =
      node.key.type === 'Identifier' ? node.key.name : node.key.type === 'Literal' ? String(node.key.value) : '';
    const isOdd =
      node.computed ||
      node.kind !== 'init' ||
      node.method ||
      node.shorthand ||
      reader.text.slice(node.key.start, node.key.end).includes('\\');
    if (isOdd) reading.live.push(`key ${key}`);
    if (isFree) reading.entries.push(`key ${key}`);
    if (node.computed) visit(node.key, trail, reading, reader);
    visit(node.value, [...trail, key], reading, reader);
    return;
  }
  const name =
    'id' in node && node.id?.type === 'Identifier'
      ? [node.id.name]
      : node.type === 'ExportDefaultDeclaration' || node.type === 'AssignmentExpression'
        ? ['default']
        : [];
  for (const child of listChildren(node)) visit(child, [...trail, ...name], reading, reader);

  function holdsEntries(inner: AnyNode): boolean {
    return /\b(?:nav|sidebar|items|redirects|docs|rewrites|return|default|exports)\b|[[{]/.test(
      reader.text.slice(inner.start, inner.end),
    );
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const listChildren = (node: AnyNode): AnyNode[] =>
  Object.values(node)
    .flatMap((part: unknown) => (Array.isArray(part) ? part : [part]))
    .filter(isNode);

/** Keys whose values people read. */
const shown = new Set(['text', 'label', 'title']);

const running =
  /^key (?:__\w*|constructor|prototype|toString|on[A-Z]\w*|onerror|innerHTML|dangerouslySetInnerHTML|component|head|vite|markdown|remarkPlugins|webpack|headers)$/;

function findEntryFault(entry: string): string | undefined {
  if (running.test(entry)) return `the ${entry}`;
  if (/<[a-z/!?]/i.test(entry)) return 'HTML';
  if (/\{[{%]/.test(entry)) return 'a template';
  const [, link] = /^link ([\s\S]*)$/.exec(entry) ?? [];
  if (link === undefined) return undefined;
  const address = link.replace(/[\p{Cc}\s]/gu, '');
  if (/^(?:javascript|vbscript|data|file):/i.test(address)) return 'an address that runs code';
  return /^[\\/]{2}|^\/\\|(?:^|\/)\.\.\//.test(address) ? 'an address that leads elsewhere' : undefined;
}
