import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { createLineOf } from '../line-of.ts';

export type JsonNode = Node;

/** JSON with places. `fault`: why it is not valid JSON, with its line. Comments and commas at the end pass where `isLenient`. */
export function parseJsonTree(text: string, { isLenient = false } = {}) {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !isLenient, allowTrailingComma: isLenient });
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
