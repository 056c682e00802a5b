import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { createLineOf } from '../line-of.ts';
import { checkDepth, type Data } from './data.ts';

export type JsonNode = Node;

/** JSON with places. `fault`: why it is not valid JSON, with its line. Comments and commas at the end pass where `isLenient`. */
export function parseJsonTree(text: string, { isLenient = false } = {}) {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, {
    disallowComments: !isLenient,
    allowTrailingComma: isLenient,
  });
  const lineOf = createLineOf(text);
  const [error] = errors;
  const fault = error && { message: `not valid JSON: ${printParseErrorCode(error.error)}`, line: lineOf(error.offset) };
  return { root: error ? undefined : root, lineOf, fault };
}

/** Where a string stands, without its quotes. */
export const locateString = ({ offset, length }: JsonNode): { start: number; end: number } => ({
  start: offset + 1,
  end: offset + length - 1,
});

/** The members of an object, by name; none for anything else. */
export const membersOf = (node: JsonNode | undefined): Map<string, JsonNode> =>
  new Map(
    node?.type === 'object'
      ? (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
          name && value ? [[String(name.value), value] as const] : [],
        )
      : [],
  );

export const elementsOf = (node: JsonNode | undefined): JsonNode[] =>
  node?.type === 'array' ? (node.children ?? []) : [];

export const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.type === 'string' ? String(node.value) : undefined;

/** Where the deepest of these keys begins that the tree has. */
export function findJsonPlace(root: JsonNode | undefined, keys: readonly string[]): number {
  let [at, place] = [root, root?.offset ?? 0];
  for (const key of keys) {
    at = at?.type === 'array' ? at.children?.[Number(key)] : membersOf(at).get(key);
    if (at === undefined) break;
    place = at.parent?.type === 'property' ? at.parent.offset : at.offset;
  }
  return place;
}

/** Undefined unless the text is JSON that every parser reads alike: no comments, no key twice. */
export function readStrictJson(text: string): Data | undefined {
  try {
    const value: Data = JSON.parse(text.replace(/^\uFEFF/, ''));
    checkDepth(value);
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(value: Data): number {
  if (value === null || typeof value !== 'object') return 0;
  const children = Object.values(value);
  return children.reduce<number>((sum, child) => sum + countKeys(child), Array.isArray(value) ? 0 : children.length);
}

/** In JSON a string before a colon is a key, and nothing else is. */
function countWrittenKeys(json: string): number {
  let count = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = findStringEnd(json, start);
    let next = end + 1;
    while (isSpace(json[next])) next += 1;
    if (json[next] === ':') count += 1;
    start = json.indexOf('"', end + 1);
  }
  return count;
}

/** Where the string that begins here has its last quote, in strict JSON. */
function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}
