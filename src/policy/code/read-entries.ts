import type { ArrayExpression, Node, ObjectExpression } from '@babel/types';
import type { Data } from '../../docs/formats/data.ts';
import { isFixedKey, isRunningKey } from '../data/entries.ts';
import type { Regions } from './find-regions.ts';
import { printCode } from './print-code.ts';
import type { Region } from './region-marker.ts';
import { readKey, type Syntax } from './syntax.ts';

/** Code in an entry. It may stay, move within its container, or be removed; none may be added. */
export interface Piece {
  /** Equal for equal pieces. */
  name: string;
  start: number;
  end: number;
}

export interface Entries {
  data: Data;
  pieces: Piece[];
}

/** Reads a list or an object as data, and what is not data as pieces. */
export function readEntries({ node: root, container, scope }: Region, { text }: Syntax, regions: Regions): Entries {
  const pieces: Piece[] = [];
  return { data: read(root, '') ?? null, pieces };

  function keep(node: Node, name: string): void {
    pieces.push({ name: `${container.name} ${scope} ${name}`, start: node.start ?? 0, end: node.end ?? 0 });
  }

  /** Undefined for code, which becomes a piece. */
  function read(node: Node, key: string): Data | undefined {
    switch (node.type) {
      case 'StringLiteral':
      case 'BooleanLiteral':
        return node.value;
      case 'NullLiteral':
        return null;
      case 'NumericLiteral':
        if (isPlainNumber(text.slice(node.start ?? 0, node.end ?? 0))) return node.value;
        break;
      case 'UnaryExpression':
        if (node.operator === '-' && node.argument.type === 'NumericLiteral') {
          const number = read(node.argument, key);
          return typeof number === 'number' ? -number : undefined;
        }
        break;
      case 'TemplateLiteral': {
        const [only] = node.quasis;
        if (node.expressions.length === 0 && typeof only?.value.cooked === 'string') return only.value.cooked;
        break;
      }
      case 'ArrayExpression':
        return readList(node, key);
      case 'ObjectExpression':
        return readObject(node);
    }
    keep(node, `${key}: ${printCode(node, regions).tokens.join(' ')}`);
    return undefined;
  }

  /** A key that loads or runs something, where any key may be new. */
  function isSetting(key: string, value: Node): boolean {
    const isPage = container.holdsPages && value.type === 'StringLiteral';
    return container.keys === 'any' && isRunningKey(key) && !isPage && !container.displayKeys?.includes(key);
  }

  function readList(node: ArrayExpression, key: string): Data {
    const found: Data[] = [];
    for (const item of node.elements) {
      if (item === null) keep(node, 'a hole in a list');
      const value = item === null ? undefined : read(item, key);
      if (value !== undefined) found.push(value);
    }
    return found;
  }

  function readObject(node: ObjectExpression): Data {
    // Keys such as `__proto__` never get here: `isFixedKey` makes them pieces.
    const found: Record<string, Data> = {};
    const keys = new Set<string>();
    for (const property of node.properties) {
      const key = property.type === 'ObjectProperty' ? readKey(property, text) : undefined;
      if (property.type !== 'ObjectProperty' || property.shorthand || key === undefined || isFixedKey(key, container)) {
        keep(property, printCode(property, regions).tokens.join(' '));
        continue;
      }
      const { value } = property;
      if (keys.has(key)) keep(property, `${key} twice`);
      else if (isSetting(key, value)) keep(property.key, `a key ${key}`);
      keys.add(key);
      const data = read(value, key);
      if (data !== undefined) found[key] = data;
    }
    return found;
  }
}

const isPlainNumber = (written: string): boolean => /^\d{1,15}(?:\.\d{1,15})?$/.test(written);
