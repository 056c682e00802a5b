import type { ArrayExpression, CallExpression, Node, ObjectExpression } from '@babel/types';
import { type Binding, isFunction, listBindings, listReturns } from './bindings.ts';
import type { CodeContainer, CodeFile } from './code-files.ts';
import { listExports } from './list-exports.ts';
import { isFixedKey } from './running-keys.ts';
import { readKey, type Syntax, unwrap } from './syntax.ts';

/** A list or an object whose data may change. */
export interface Region {
  node: ArrayExpression | ObjectExpression;
  container: CodeContainer;
  /** The function that it stands in: what is computed there stays there. */
  scope: string;
  /** Handed to a function, which may do more with it than show it. */
  isArgument: boolean;
}

export interface Regions {
  byNode: ReadonlyMap<Node, Region>;
  /** The names whose declarations hold regions, and what is found there. */
  followed: ReadonlyMap<string, Omit<Region, 'node'>>;
  /** Containers that may be added and are there. */
  present: ReadonlySet<CodeContainer>;
  /** The properties that hold containers which the base lacks. */
  added: ReadonlyMap<Node, CodeContainer>;
}

type Context = Omit<Region, 'node'>;

/**
 * Finds the containers, from the exports on: through constants and functions of the module, wrappers around the configuration, conditions and
 * spreads. A name is followed only if nothing but containers reads it. `base`: what was found before the change; the change brings no new one.
 */
export function findRegions(
  { file, text }: Syntax,
  { code, path, base }: { code: CodeFile; path: string; base?: Regions | undefined },
): Regions {
  const bindings = listBindings(file.program);
  const banned = new Set<string>();
  for (;;) {
    const found = walk();
    const leaked = base ? [] : [...found.followed.keys()].filter((name) => !found.isCovered(name));
    if (leaked.length === 0) return found;
    for (const name of leaked) banned.add(name);
  }

  function walk() {
    const byNode = new Map<Node, Region>();
    const followed = new Map<string, Context>();
    const added = new Map<Node, CodeContainer>();
    const read = new Set<Node>();
    const present = new Set<CodeContainer>();
    const seen = new Set<string>();
    for (const { name, value } of listExports(file.program)) {
      const isDefault = name === 'default';
      // Where the export itself is a container, it is the one that the framework reads.
      if (!isDefault && code.containers.some(({ at }) => at.length === 0)) continue;
      for (const trail of [[], [name], [`export ${isDefault ? nameFile(path) : name}`]]) visit(value, trail, '');
    }
    if (base) for (const [name, context] of base.followed) if (!followed.has(name)) followName(name, context);
    return { byNode, followed, present, added, isCovered };

    function isCovered(name: string): boolean {
      return (bindings.get(name)?.references ?? []).every((reference) => read.has(reference));
    }

    /** Outside of containers. */
    function visit(node: Node, trail: readonly string[], scope: string): void {
      const container = code.containers.find(({ at }) => at.length === trail.length && matches(at, trail));
      if (container) {
        mark(node, { container, scope, isArgument: false }, true);
        return;
      }
      if (!code.containers.some(({ at }) => at.length > trail.length && matches(at, trail))) return;
      const inner = unwrap(node);
      if (isFunction(inner)) {
        const name = inner.type === 'FunctionDeclaration' ? inner.id?.name : undefined;
        for (const value of listReturns(inner)) visit(value, trail, `${scope} ${name ?? trail.join('.')}()`);
        return;
      }
      switch (inner.type) {
        case 'Identifier':
          visitName(inner.name, trail, scope);
          return;
        case 'ConditionalExpression':
          visit(inner.consequent, trail, scope);
          visit(inner.alternate, trail, scope);
          return;
        case 'LogicalExpression':
          visit(inner.right, trail, scope);
          return;
        case 'SpreadElement':
          visit(inner.argument, trail, scope);
          return;
        case 'CallExpression':
          visitCall(inner, trail, scope);
          return;
        case 'ArrayExpression': {
          const [first] = inner.elements;
          const segment = first?.type === 'StringLiteral' ? first.value : '*';
          for (const item of inner.elements)
            if (item) visit(item, item.type === 'SpreadElement' ? trail : [...trail, segment], scope);
          return;
        }
        case 'ObjectExpression':
          for (const property of inner.properties) {
            if (property.type === 'SpreadElement') {
              visit(property, trail, scope);
              continue;
            }
            const key = readKey(property, text);
            if (key === undefined) continue;
            const below = [...trail, key];
            notice(property, below);
            visit(property.type === 'ObjectProperty' ? property.value : property, below, scope);
          }
      }
    }

    function notice(property: Node, trail: readonly string[]): void {
      for (const container of code.containers) {
        const { at, canBeAdded } = container;
        if (!canBeAdded || at.length !== trail.length || !matches(at, trail)) continue;
        present.add(container);
        if (base && !base.present.has(container)) added.set(property, container);
      }
    }

    function visitName(name: string, trail: readonly string[], scope: string): void {
      const binding = bindings.get(name);
      const step = `${name} ${trail.join('.')}`;
      if (binding === undefined || seen.has(step)) return;
      // Once: names that are spread twice, and those twice again, would take forever.
      seen.add(step);
      visit(binding.value, trail, scope);
    }

    function visitCall(call: CallExpression, trail: readonly string[], scope: string): void {
      const { callee } = call;
      const local = callee.type === 'Identifier' ? bindings.get(callee.name) : undefined;
      if (callee.type === 'Identifier' && local && isFunction(local.value)) {
        visitName(callee.name, trail, scope);
        return;
      }
      const isWhole = trail.length === 0 || (trail.length === 1 && trail[0]?.startsWith('export '));
      const name = callee.type === 'Identifier' ? callee.name : '';
      for (const item of call.arguments) visit(item, isWhole ? trail : [...trail, `${name}()`], scope);
    }

    /** The value of a container, or a part of it that is not literal: marks each list and object with entries in it. */
    function mark(node: Node, context: Context, isValue: boolean): void {
      const inner = unwrap(node);
      if (isFunction(inner)) {
        const name = inner.type === 'FunctionDeclaration' ? inner.id?.name : undefined;
        if (isValue)
          for (const value of listReturns(inner))
            mark(value, { ...context, scope: name ?? `${context.scope}()` }, true);
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

    function markCall({ callee, arguments: items }: CallExpression, context: Context): void {
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

    function markInside(node: ArrayExpression | ObjectExpression, context: Context): void {
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

    function markPart(part: Node, context: Context): void {
      if (part.type === 'ArrayExpression' || part.type === 'ObjectExpression') markInside(part, context);
      else if (part.type !== 'StringLiteral') mark(part, context, false);
    }

    function followName(name: string, context: Context, isCalled = false): void {
      const binding: Binding | undefined = bindings.get(name);
      if (binding === undefined || banned.has(name) || followed.has(name)) return;
      if (base && !base.followed.has(name)) return;
      // A function that is handed over decides by itself what becomes of its result.
      if (context.isArgument && isFunction(binding.value) && !isCalled) return;
      const found = base?.followed.get(name) ?? { ...context, scope: binding.isShared ? '' : name };
      followed.set(name, found);
      mark(binding.value, found, true);
    }
  }
}

const matches = (at: CodeContainer['at'], trail: readonly string[]): boolean =>
  trail.every((segment, index) => {
    const rule = at[index];
    return typeof rule === 'string' ? rule === '*' || rule === segment : rule?.test(segment);
  });

/** By its last two names, without the ending. */
const nameFile = (path: string): string =>
  path
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.[^/]*$/, '');
