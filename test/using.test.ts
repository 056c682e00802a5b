import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { isFunction, isNode, type Node } from '@babel/types';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** They return no promise. */
const synchronous = ['boundDiff', 'unread'];

// Fast: reads the source only.
test('what a scope with `using` returns is awaited in it: its resources end before a promise that it returns', () => {
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
    listUnawaited(readFileSync(join(root, path), 'utf8')).map((line) => `${path}:${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['a call', 'async () => { await using a = open(); return a.read(); }', [1]],
  ['a call in one case', 'async () => {\n using a = open();\n if (b) { return c && a.read(); }\n }', [3]],
  ['a call that is awaited', 'async () => { using a = open(); return c && (await a.read()); }', []],
  ['a call before the resource', 'async () => { if (b) return read(); using a = open(); }', []],
  ['a call of an inner function', 'async () => { using a = open(); return { read: () => a.read() }; }', []],
  ['a call that is known', 'async () => { using a = open(); return boundDiff(a); }', []],
])('%s', (_name, text, lines) => {
  expect(listUnawaited(text)).toEqual(lines);
});

/** The lines of returned calls that nothing awaits, in scopes with `using`. */
function listUnawaited(text: string): number[] {
  if (!/\busing\b/.test(text)) return [];
  const lines: number[] = [];
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript', 'explicitResourceManagement'] });
  walk(program, false);
  return lines;

  function walk(node: Node, isScope: boolean): void {
    if (node.type === 'ReturnStatement' && isScope && node.argument && returnsCall(node.argument))
      lines.push(node.loc?.start.line ?? 0);
    for (const child of Object.values(node) as unknown[]) {
      let holds = isScope && !isFunction(node);
      for (const each of Array.isArray(child) ? child : [child]) {
        if (!isNode(each)) continue;
        if (each.type === 'VariableDeclaration' && /using$/.test(each.kind)) holds = true;
        walk(each, holds);
      }
    }
  }

  function returnsCall(value: Node): boolean {
    switch (value.type) {
      case 'CallExpression':
        return !(value.callee.type === 'Identifier' && synchronous.includes(value.callee.name));
      case 'LogicalExpression':
        return returnsCall(value.right);
      case 'ConditionalExpression':
        return returnsCall(value.consequent) || returnsCall(value.alternate);
      default:
        return false;
    }
  }
}
