import { parse, TomlDate } from 'smol-toml';
import { checkDepth, type Data } from './data.ts';

interface TomlText {
  /** Undefined unless the text is TOML, which allows no key twice. */
  value: Data | undefined;
  fault: { line: number; message: string } | undefined;
}

/** Reads TOML without places: `createStringFinder` finds them. */
export function readToml(text: string): TomlText {
  try {
    const value = toData(parse(text));
    checkDepth(value);
    return { value, fault: undefined };
  } catch (error) {
    const line = error instanceof Error && 'line' in error && typeof error.line === 'number' ? error.line : 1;
    const message = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return { value: undefined, fault: { line, message: `not valid TOML: ${message}` } };
  }
}

function toData(value: unknown): Data {
  if (Array.isArray(value)) return value.map(toData);
  if (value instanceof TomlDate) return value.toISOString();
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toData(child)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

interface Found {
  start: number;
  end: number;
}

/** Finds quoted strings one behind the other, from `at` on. */
interface StringFinder {
  /** Undefined for one that is written with an escape. */
  find(value: string): Found | undefined;
  /** Undefined unless it is the next one: a key may have no quotes. */
  findNext(value: string): Found | undefined;
}

export function createStringFinder(written: string, at = 0): StringFinder {
  const text = written.replace(/^[ \t]*#.*/gm, (comment) => ' '.repeat(comment.length));
  let from = at;
  const locate = (value: string): Found | undefined => {
    const quoted = [`"${value}"`, `'${value}'`].map((each) => text.indexOf(each, from)).filter((index) => index >= 0);
    return quoted.length === 0
      ? undefined
      : { start: Math.min(...quoted) + 1, end: Math.min(...quoted) + 1 + value.length };
  };
  const take = (found: Found | undefined): Found | undefined => {
    if (found !== undefined) from = found.end + 1;
    return found;
  };
  return {
    find: (value) => take(locate(value)),
    findNext(value) {
      const found = locate(value);
      return found === undefined || /["']/.test(text.slice(from, found.start - 1)) ? undefined : take(found);
    },
  };
}
