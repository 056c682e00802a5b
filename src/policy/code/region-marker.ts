import type { ArrayExpression, CallExpression, Node, ObjectExpression } from '@babel/types';
import type { CodeContainer } from '../../docs/frameworks/edits/data-files.ts';
import { isFixedKey } from '../data/entries.ts';
import { type Binding, isFunction, listReturns } from './bindings.ts';
import { readKey, unwrap } from './syntax.ts';

/** A list or an object whose data may change. */
export interface Region extends RegionContext {
  node: ArrayExpression | ObjectExpression;
}

export interface RegionContext {
  container: CodeContainer;
  /** The function around it: code may not move to another function. */
  scope: string;
  /** An argument of a function, which may do more than show it. */
  isArgument: boolean;
}

/**
 * Marks the regions in the values of containers, through constants and functions of the module. Follows no name of `banned`; after a change,
 * only the names of `base`, which were followed before it.
 */
export function createRegionMarker(options: {
  bindings: ReadonlyMap<string, Binding>;
  text: string;
  banned: ReadonlySet<string>;
  base: ReadonlyMap<string, RegionContext> | undefined;
}) {
  const { bindings, text, banned, base } = options;
  const byNode = new Map<Node, Region>();
  const followed = new Map<string, RegionContext>();
  const read = new Set<Node>();

  /** Whether nothing but containers reads a name. */
  function isCovered(name: string): boolean {
    return (bindings.get(name)?.references ?? []).every((reference) => read.has(reference));
  }

  /** The value of a container, or a part of it that is not literal: marks each list and object with entries in it. */
  function mark(node: Node, context: RegionContext, isValue: boolean): void {
    const inner = unwrap(node);
    if (isFunction(inner)) {
      const name = inner.type === 'FunctionDeclaration' ? inner.id?.name : undefined;
      if (isValue)
        for (const value of listReturns(inner)) mark(value, { ...context, scope: name ?? `${context.scope}()` }, true);
      return;
    }
    switch (inner.type) {
      case 'ArrayExpression':
      case 'ObjectExpression':
        byNode.set(inner, { node: inner, ...context });
        markInside(inner, context);
        return;
      case 'Identifier':
        read.add(inner);
        followName(inner.name, context);
        return;
      case 'SpreadElement':
        mark(inner.argument, context, isValue);
        return;
      case 'ConditionalExpression':
        mark(inner.consequent, context, isValue);
        mark(inner.alternate, context, isValue);
        return;
      case 'LogicalExpression':
        mark(inner.left, context, isValue);
        mark(inner.right, context, isValue);
        return;
      case 'CallExpression':
        markCall(inner, context);
    }
  }

  function markCall({ callee, arguments: items }: CallExpression, context: RegionContext): void {
    if (callee.type === 'Identifier') {
      read.add(callee);
      followName(callee.name, context, true);
    }
    // `[…].concat(…)`, `entries.map(…)`
    if (callee.type === 'MemberExpression') mark(callee.object, { ...context, isArgument: true }, false);
    for (const item of items) {
      const inner = unwrap(item);
      if (inner.type === 'ArrayExpression' || inner.type === 'ObjectExpression' || inner.type === 'Identifier')
        mark(inner, { ...context, isArgument: true }, false);
    }
  }

  function markInside(node: ArrayExpression | ObjectExpression, context: RegionContext): void {
    if (node.type === 'ArrayExpression') {
      for (const item of node.elements) if (item) markPart(item, context);
      return;
    }
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') markPart(property, context);
      if (property.type !== 'ObjectProperty') continue;
      const key = readKey(property, text);
      if (key !== undefined && !isFixedKey(key, context.container)) markPart(property.value, context);
    }
  }

  function markPart(part: Node, context: RegionContext): void {
    if (part.type === 'ArrayExpression' || part.type === 'ObjectExpression') markInside(part, context);
    else if (part.type !== 'StringLiteral') mark(part, context, false);
  }

  function followName(name: string, context: RegionContext, isCalled = false): void {
    const binding = bindings.get(name);
    if (binding === undefined || banned.has(name) || followed.has(name)) return;
    if (base && !base.has(name)) return;
    // The callee may do anything with the result of a function that it gets.
    if (context.isArgument && isFunction(binding.value) && !isCalled) return;
    const found = base?.get(name) ?? { ...context, scope: binding.isShared ? '' : name };
    followed.set(name, found);
    mark(binding.value, found, true);
  }

  return { byNode, followed, isCovered, mark, followName };
}
