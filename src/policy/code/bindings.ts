import type { Function as FunctionNode, Identifier, JSXIdentifier, Node, Program } from '@babel/types';
import { forEachPart, isNode } from './syntax.ts';

/** The value of a name that can have no other: a constant or a function, declared once in the whole file. */
export interface Binding {
  value: Node;
  /** Declared at the top level, and not a function. */
  isShared: boolean;
  references: readonly Node[];
}

export function listBindings(program: Program): ReadonlyMap<string, Binding> {
  const { declared, references, values } = listNames(program);
  const top = new Set(program.body.flatMap((statement) => listDeclarators(statement).map(([, value]) => value)));
  return new Map(
    [...values].flatMap(([name, value]) =>
      declared.get(name) === 1
        ? [[name, { value, isShared: top.has(value) && !isFunction(value), references: references.get(name) ?? [] }]]
        : [],
    ),
  );
}

function listDeclarators(statement: Node): [name: string, value: Node][] {
  const node =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? (statement.declaration ?? statement)
      : statement;
  if (node.type === 'FunctionDeclaration') return node.id ? [[node.id.name, node]] : [];
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return [];
  return node.declarations.flatMap(({ id, init }): [string, Node][] =>
    id.type === 'Identifier' && init ? [[id.name, init]] : [],
  );
}

/** How often each name is declared in any scope, where it is read, and its initial value. */
function listNames(program: Program) {
  const declared = new Map<string, number>();
  const references = new Map<string, Node[]>();
  const values = new Map<string, Node>();
  visit(program);
  return { declared, references, values };

  function declare(node: unknown): void {
    if (!isNode(node)) return;
    if (node.type === 'Identifier') declared.set(node.name, (declared.get(node.name) ?? 0) + 1);
    else forEachPart(node, (key, part) => key === 'key' || key === 'right' || forEachNode(part, declare));
  }

  function visit(node: Node): void {
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        refer(node);
        return;
      // Most of a long file.
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return;
      case 'ObjectProperty':
        if (node.computed) visit(node.key);
        visit(node.value);
        return;
      case 'ArrayExpression':
        for (const item of node.elements) if (item) visit(item);
        return;
      case 'VariableDeclaration':
      case 'FunctionDeclaration':
        for (const [name, value] of listDeclarators(node)) values.set(name, value);
    }
    forEachPart(node, (key, part) => {
      if (typeof part !== 'object' || isType(key)) return;
      if (isDeclared(node, key)) forEachNode(part, declare);
      if (!isName(node, key)) forEachNode(part, visit);
    });
  }

  function refer(node: Identifier | JSXIdentifier): void {
    const found = references.get(node.name);
    if (found) found.push(node);
    else references.set(node.name, [node]);
  }
}

/** Types do not run. */
const isType = (key: string): boolean =>
  key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments';

function forEachNode(part: unknown, call: (node: Node) => void): void {
  if (Array.isArray(part)) for (const item of part) forEachNode(item, call);
  else if (isNode(part)) call(part);
}

const isDeclared = (node: Node, key: string): boolean =>
  ((node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') &&
    key === 'id') ||
  (isFunction(node) && key === 'params') ||
  (node.type === 'CatchClause' && key === 'param') ||
  (key === 'local' && node.type.startsWith('Import'));

/** Whether this part of a node is a name without being a reference. Patterns may hold defaults, so they are visited. */
function isName(node: Node, key: string): boolean {
  if (node.type.endsWith('Specifier')) return true;
  if (key === 'id') return !('id' in node && isNode(node.id) && node.id.type.endsWith('Pattern'));
  if (key === 'key' || key === 'property') return !('computed' in node && node.computed);
  return node.type === 'LabeledStatement' && key === 'label';
}

export const isFunction = (node: Node): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'ObjectMethod' ||
  node.type === 'ClassMethod' ||
  node.type === 'ClassPrivateMethod';

/** What a function can return: its own returns, not those of functions in it. */
export function listReturns(node: FunctionNode): Node[] {
  if (node.body.type !== 'BlockStatement') return [node.body];
  const found: Node[] = [];
  visit(node.body);
  return found;

  function visit(inner: Node): void {
    if (inner.type === 'ReturnStatement') {
      if (inner.argument) found.push(inner.argument);
    } else if (!isFunction(inner) && !inner.type.startsWith('Class') && !inner.type.endsWith('Expression')) {
      forEachPart(inner, (_, part) => forEachNode(part, visit));
    }
  }
}
