import type { Comment, Expression, File, Node } from '@babel/types';
import { parseScript } from '../../docs/formats/javascript.ts';

export interface Syntax {
  text: string;
  file: File;
  comments: readonly Comment[];
}

/** `fault`: why it does not parse, with its line and column. */
export function parseCode(text: string, path: string): Syntax | { fault: string } {
  try {
    const file = parseScript(text, { path });
    return { text, file, comments: file.comments ?? [] };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? error.message : 'it nests too deeply' };
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const withoutMeaning = new Set([
  ...['type', 'start', 'end', 'loc', 'range', 'extra', 'comments', 'errors', 'tokens'],
  ...['leadingComments', 'innerComments', 'trailingComments'],
]);

/** Calls back for the meaningful parts of a node, in order, without its type. */
export function forEachPart(node: Node, call: (key: string, part: unknown) => void): void {
  for (const [key, part] of Object.entries(node)) if (part !== undefined && !withoutMeaning.has(key)) call(key, part);
}

/** The expression inside parentheses, `await` and type assertions. */
export function unwrap(node: Node): Node {
  let inner = node;
  while (
    inner.type === 'ParenthesizedExpression' ||
    inner.type === 'TSAsExpression' ||
    inner.type === 'TSSatisfiesExpression' ||
    inner.type === 'TSNonNullExpression' ||
    inner.type === 'AwaitExpression'
  ) {
    const next: Expression = inner.type === 'AwaitExpression' ? inner.argument : inner.expression;
    inner = next;
  }
  return inner;
}

type Key = { type: string; computed?: boolean; key: Node };

/** The name of a property; undefined if it is computed, or written with an escape. */
export function readKey({ key, computed }: Key, text: string): string | undefined {
  if (computed) return undefined;
  const length = (key.end ?? 0) - (key.start ?? 0);
  if (key.type === 'Identifier') return key.name.length === length ? key.name : undefined;
  // Its quotes count, and an escape is longer than what it stands for.
  if (key.type === 'StringLiteral') return key.value.length + 2 === length ? key.value : undefined;
  const written = text.slice(key.start ?? 0, key.end ?? 0);
  return key.type === 'NumericLiteral' && /^\d{1,15}$/.test(written) ? String(key.value) : undefined;
}
