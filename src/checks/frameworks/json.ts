import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export type JsonNode = Node;

/** JSON with places. `fault`: why it is not valid JSON, with its line. Comments and commas at the end pass where `isLenient`. */
export function parseJsonTree(text: string, { isLenient = false } = {}) {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !isLenient, allowTrailingComma: isLenient });
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const [error] = errors;
  const fault = error && { message: `not valid JSON: ${printParseErrorCode(error.error)}`, line: lineOf(error.offset) };
  return { root: error ? undefined : root, lineOf, fault };
}
