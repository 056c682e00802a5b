import type { CallExpression, Node, Program } from '@babel/types';
import type { CodeContainer, CodeFile } from '../../docs/frameworks/edits/data-files.ts';
import { isFunction, listBindings, listReturns } from './bindings.ts';
import { createRegionMarker, type Region, type RegionContext } from './region-marker.ts';
import { readKey, type Syntax, unwrap } from './syntax.ts';

export interface Regions {
  byNode: ReadonlyMap<Node, Region>;
  /** The names whose declarations hold regions, with their contexts. */
  followed: ReadonlyMap<string, RegionContext>;
  /** Containers with `canBeAdded` that the file has. */
  present: ReadonlySet<CodeContainer>;
  /** The properties that hold containers which the base lacks. */
  added: ReadonlyMap<Node, CodeContainer>;
}

/**
 * Finds the containers, from the exports on: through constants and functions of the module, wrappers around the configuration, conditions and
 * spreads. A name is followed only if nothing but containers reads it. `base`: the regions before the change; the change adds no name to follow.
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
    const marker = createRegionMarker({ bindings, text, banned, base: base?.followed });
    const { byNode, followed, isCovered } = marker;
    const added = new Map<Node, CodeContainer>();
    const present = new Set<CodeContainer>();
    const seen = new Set<string>();
    for (const { name, value } of listExports(file.program)) {
      const isDefault = name === 'default';
      // Where the export itself is a container, it is the one that the framework reads.
      if (!isDefault && code.containers.some(({ at }) => at.length === 0)) continue;
      for (const trail of [[], [name], [`export ${isDefault ? nameFile(path) : name}`]]) visit(value, trail, '');
    }
    if (base) for (const [name, context] of base.followed) if (!followed.has(name)) marker.followName(name, context);
    return { byNode, followed, present, added, isCovered };

    /** Outside of containers. */
    function visit(node: Node, trail: readonly string[], scope: string): void {
      const container = code.containers.find(({ at }) => at.length === trail.length && matches(at, trail));
      if (container) {
        marker.mark(node, { container, scope, isArgument: false }, true);
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
            recordAddable(property, below);
            visit(property.type === 'ObjectProperty' ? property.value : property, below, scope);
          }
      }
    }

    function recordAddable(property: Node, trail: readonly string[]): void {
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
      // Each name once: nested spreads would take exponential time.
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
    .replace(/(^|\/)([^/.]*)\.[^/]*$/, '$1$2');

interface Exported {
  name: string;
  value: Node;
}

/** https://tc39.es/ecma262/#sec-exports, https://nodejs.org/api/modules.html#exports */
function listExports({ body }: Program): Exported[] {
  return body.flatMap((statement): Exported[] => {
    switch (statement.type) {
      case 'ExportDefaultDeclaration':
        return [{ name: 'default', value: statement.declaration }];
      case 'ExportNamedDeclaration':
        return statement.source
          ? []
          : [...listDeclared(statement.declaration), ...statement.specifiers.flatMap(readSpecifier)];
      case 'ExpressionStatement':
        return readAssignment(statement.expression);
      case 'TSExportAssignment':
        return [{ name: 'default', value: statement.expression }];
      default:
        return [];
    }
  });
}

function listDeclared(declaration: Node | null | undefined): Exported[] {
  if (declaration?.type === 'FunctionDeclaration' && declaration.id)
    return [{ name: declaration.id.name, value: declaration.id }];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [{ name: id.name, value: id }] : []));
}

function readSpecifier(specifier: Node): Exported[] {
  if (specifier.type !== 'ExportSpecifier') return [];
  const { exported, local } = specifier;
  return [{ name: exported.type === 'Identifier' ? exported.name : exported.value, value: local }];
}

function readAssignment(expression: Node): Exported[] {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return [];
  const { left, right } = expression;
  if (left.type !== 'MemberExpression' || left.computed || left.property.type !== 'Identifier') return [];
  if (left.object.type !== 'Identifier') return [];
  const { name } = left.property;
  if (left.object.name === 'module' && name === 'exports') return [{ name: 'default', value: right }];
  return left.object.name === 'exports' ? [{ name, value: right }] : [];
}
