import { parseExpressionAt } from 'acorn';
import type { Node } from 'estree-jsx';
import { evaluate } from './literals.ts';

const nothing = { isAsset: () => false, readElement: () => {} };

/** Whether the source of an expression is a literal. */
export const isData = (expression: string): boolean => readData(expression) !== undefined;

/** In a list. */
export function readData(expression: string): ReturnType<typeof evaluate> {
  const source = `[${expression}\n]`;
  try {
    const node = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
    return node.end === source.length && isNode(node) ? evaluate(node, nothing) : undefined;
  } catch {
    return undefined;
  }
}

const isNode = (value: object): value is Node => 'type' in value;
