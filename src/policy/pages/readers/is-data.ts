import { parseExpressionAt } from 'acorn';
import type { Node } from 'estree-jsx';
import { evaluate } from './literals.ts';

const nothing = { isAsset: () => false, readElement: () => {} };

/** Whether the source of an expression is a literal. */
export function isData(expression: string): boolean {
  const source = `[${expression}\n]`;
  try {
    const node = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
    return node.end === source.length && isNode(node) && evaluate(node, nothing) !== undefined;
  } catch {
    return false;
  }
}

const isNode = (value: object): value is Node => 'type' in value;
