import { parse as parseTomlText, TomlDate } from 'smol-toml';
import type { Data } from '../../docs/formats/data.ts';

/** Undefined unless the text is JSON that every parser reads alike: no comments, no key twice. */
export function parseJson(text: string): Data | undefined {
  try {
    const value: Data = JSON.parse(text.replace(/^\uFEFF/, ''));
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined unless the text is TOML, which allows no key twice. */
export function parseToml(text: string): Data | undefined {
  try {
    const value = toData(parseTomlText(text));
    countKeys(value);
    return value;
  } catch {
    return undefined;
  }
}

function toData(value: unknown): Data {
  if (Array.isArray(value)) return value.map(toData);
  if (value instanceof TomlDate) return value.toISOString();
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toData(child)]));
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

const maxDepth = 100;

/** Throws for data that nests deeper than any site needs: what follows is recursive. */
function countKeys(value: Data, depth = 0): number {
  if (depth > maxDepth) throw new Error('the data nests too deeply');
  if (value === null || typeof value !== 'object') return 0;
  const children = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) if (typeof child === 'object') count += countKeys(child, depth + 1);
  return count;
}

/** In JSON a string before a colon is a key, and nothing else is. */
function countWrittenKeys(json: string): number {
  let count = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = findStringEnd(json, start);
    let next = end + 1;
    while (isSpace(json[next])) next += 1;
    if (json[next] === ':') count += 1;
    start = json.indexOf('"', end + 1);
  }
  return count;
}

/** Where the string that begins here has its last quote, in strict JSON. */
function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}
