import { parseExpressionAt } from 'acorn';
import type { Expression, JSXElement, JSXFragment, Node, Property, SpreadElement, TemplateLiteral } from 'estree-jsx';

/** The value of a literal. Elements and images inside count as null. */
type PlainValue = string | number | boolean | null | undefined | PlainValue[] | { [key: string]: PlainValue };

type Evaluated = { value: PlainValue } | undefined;

/** Decides about the parts of an expression that are not plain data. */
export interface Scope {
  /** Names that stand for an image or a page. */
  isAsset(name: string): boolean;
  readElement(element: JSXElement | JSXFragment): void;
}

/** Undefined for an expression that is more than data: it reads a name, calls, computes or decides. */
export function evaluate(node: Node, scope: Scope): Evaluated {
  switch (node.type) {
    case 'Literal':
      return {
        value: typeof node.value === 'bigint' || node.value instanceof RegExp ? String(node.value) : node.value,
      };
    case 'TemplateLiteral':
      return joinTemplate(node, scope, 'cooked');
    case 'TaggedTemplateExpression':
      return isStringRaw(node.tag) ? joinTemplate(node.quasi, scope, 'raw') : undefined;
    case 'UnaryExpression':
      return ['-', '+', '!'].includes(node.operator) ? evaluate(node.argument, scope) : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? join([node.left, node.right], scope) : undefined;
    case 'ArrayExpression':
      return evaluateAll(node.elements, scope);
    case 'ObjectExpression':
      return evaluateObject(node.properties, scope);
    case 'Identifier':
      return node.name === 'undefined' || scope.isAsset(node.name) ? { value: null } : undefined;
    case 'MemberExpression':
      return !node.computed && node.object.type === 'Identifier' && scope.isAsset(node.object.name)
        ? { value: null }
        : undefined;
    case 'JSXElement':
    case 'JSXFragment':
      scope.readElement(node);
      return { value: null };
    default:
      return undefined;
  }
}

function evaluateAll(nodes: readonly (Node | null)[], scope: Scope): Evaluated {
  const values = nodes.map((node) => (node === null ? { value: null } : evaluate(node, scope)));
  return values.every((value) => value !== undefined) ? { value: values.map(({ value }) => value) } : undefined;
}

function evaluateObject(properties: readonly (Property | SpreadElement)[], scope: Scope): Evaluated {
  const entries: [string, PlainValue][] = [];
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') return undefined;
    const value = evaluate(property.value, scope);
    if (value === undefined) return undefined;
    const { key } = property;
    entries.push([key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '', value.value]);
  }
  return { value: Object.fromEntries(entries) };
}

function join(nodes: readonly (Expression | Node)[], scope: Scope): Evaluated {
  const values = nodes.map((node) => evaluate(node, scope));
  return values.every((value) => value !== undefined)
    ? { value: values.map(({ value }) => String(value)).join('') }
    : undefined;
}

function joinTemplate({ quasis, expressions }: TemplateLiteral, scope: Scope, form: 'cooked' | 'raw'): Evaluated {
  const values = expressions.map((node) => evaluate(node, scope));
  if (!values.every((value) => value !== undefined)) return undefined;
  const parts = quasis.map(({ value }, index) => `${value[form] ?? ''}${String(values[index]?.value ?? '')}`);
  return { value: parts.join('') };
}

const isStringRaw = (tag: Node): boolean =>
  tag.type === 'MemberExpression' &&
  !tag.computed &&
  tag.object.type === 'Identifier' &&
  tag.object.name === 'String' &&
  tag.property.type === 'Identifier' &&
  tag.property.name === 'raw';

const nothing: Scope = { isAsset: () => false, readElement: () => {} };

/** Whether the source of an expression is a literal. */
export const isData = (expression: string): boolean => readData(expression) !== undefined;

/** In a list. */
export function readData(expression: string): Evaluated {
  const source = `[${expression}\n]`;
  try {
    const node: unknown = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
    return isEstreeNode(node) && 'end' in node && node.end === source.length ? evaluate(node, nothing) : undefined;
  } catch {
    return undefined;
  }
}

export const isEstreeNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Every string in it, however deep, with the key that it stands under. */
export function* listStrings(value: unknown, key = ''): Generator<[key: string, text: string]> {
  if (typeof value === 'string') yield [key, value];
  else if (Array.isArray(value)) for (const item of value) yield* listStrings(item, key);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) yield* listStrings(item, name);
}
