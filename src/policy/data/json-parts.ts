import type { Data } from '../../docs/formats/data.ts';
import { countKept, countSame, findWindow } from './find-window.ts';
import { findStringEnd, parseJson } from './parse-data.ts';

/** The part that an edit replaces: one value, or neighbouring items of one list. */
export interface ChangedPart {
  /** The keys and numbers that lead to the value, or to the list. */
  path: readonly (string | number)[];
  removed: Data;
  added: Data;
}

/**
 * Reads an edit within one list or object without the rest of the text: a value of JSON means the same in any surroundings. Undefined
 * where that does not parse by itself. `before` is strict JSON.
 */
export function createPartReader(before: string): (after: string) => ChangedPart | undefined {
  const nodes = listNodes(before);
  return (after) => {
    const same = countSame(before, after);
    const kept = countKept(before, after, Math.min(before.length, after.length) - same);
    const node = nodes.findLast(({ start, end }) => start < same && before.length - kept <= end);
    if (node === undefined) return undefined;
    const texts = node.items === undefined ? undefined : findItems(before, after, { items: node.items, end: node.end });
    const old = texts?.old ?? before.slice(node.start, node.end + 1);
    const now = texts?.now ?? after.slice(node.start, after.length - (before.length - node.end - 1));
    const [removed, added] = [parseJson(old), parseJson(now)];
    return removed === undefined || added === undefined ? undefined : { path: findPath(node), removed, added };
  };
}

/** The items that the edit touches, as lists. Undefined if the commas between them and the others would change. */
function findItems(before: string, after: string, { items, end: listEnd }: { items: readonly number[]; end: number }) {
  const window = findWindow(before, after, [...items, listEnd]);
  if (window === undefined) return undefined;
  const place = { isLast: window.end === listEnd, isFirst: window.start === (items[0] ?? listEnd) };
  const [old, now] = [toList(window.old, place), toList(window.now, place)];
  return old === undefined || now === undefined ? undefined : { old, now };
}

/** Each item but the last of a list has a comma behind it. */
function toList(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string | undefined {
  const items = text.replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '');
  if (items === '') return isLast && !isFirst ? undefined : '[]';
  if (isLast) return `[${items}]`;
  return /\S\s*,$/.test(items) ? `[${items.slice(0, -1)}]` : undefined;
}

/** A list or an object of a text. */
interface Node {
  start: number;
  /** Where its bracket closes. */
  end: number;
  parent: Node | undefined;
  /** Its index, or its key as written, in the parent. */
  key: string | number;
  /** Of a list: where each item begins. */
  items?: number[];
}

/** In order of their start, so that the last one around a place is the innermost. */
function listNodes(json: string): Node[] {
  const nodes: Node[] = [];
  let open: Node | undefined;
  let key = '';
  let isItemNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (/[\s:\uFEFF]/.test(character)) continue;
    if (character === ',') {
      isItemNext = open?.items !== undefined;
      continue;
    }
    if (character === '}' || character === ']') {
      if (open !== undefined) open.end = at;
      open = open?.parent;
      isItemNext = false;
      continue;
    }
    if (isItemNext) open?.items?.push(at);
    isItemNext = false;
    if (character === '{' || character === '[') {
      const isList = character === '[';
      const place = open?.items === undefined ? key : open.items.length - 1;
      open = { start: at, end: json.length, parent: open, key: place, ...(isList && { items: [] }) };
      nodes.push(open);
      isItemNext = isList;
    } else if (character === '"') {
      const end = findStringEnd(json, at);
      if (open?.items === undefined) key = json.slice(at, end + 1);
      at = end;
    }
  }
  return nodes;
}

function findPath(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) {
    path.unshift(typeof at.key === 'number' ? at.key : String(JSON.parse(at.key)));
  }
  return path;
}
