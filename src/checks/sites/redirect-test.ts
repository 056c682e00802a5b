type Part = { kind: 'name'; names: ReadonlySet<string> } | { kind: 'any' } | { kind: 'rest' };

/** Whether a redirect from this pattern answers at an address. */
export interface RedirectPattern {
  /** For everything: it excuses nothing. */
  isCatchAll: boolean;
  matches(address: string): boolean;
}

/**
 * Patterns of Mintlify, Netlify, Vercel and Next: `:name` stands for one name, `:name(a|b)` for one of these, `:rest*` and `*` for all that
 * follow. What else they may hold stands for any name.
 */
export function readRedirectPattern(source: string): RedirectPattern {
  const parts = split(source).map(readPart);
  return {
    isCatchAll: parts.every(({ kind }) => kind === 'rest') && parts.length > 0,
    matches(address) {
      const names = split(address);
      const rest = parts.findIndex(({ kind }) => kind === 'rest');
      const fixed = rest < 0 ? parts : parts.slice(0, rest);
      if (rest < 0 ? names.length !== parts.length : names.length < fixed.length) return false;
      return fixed.every((part, index) => part.kind !== 'name' || part.names.has(names[index] ?? ''));
    },
  };
}

export function createRedirectTest(sources: Iterable<string>): (address: string) => boolean {
  const exact = new Set<string>();
  const patterns: RedirectPattern[] = [];
  for (const source of sources) {
    if (!/[:*(]/.test(source)) exact.add(split(source).join('/'));
    else {
      const pattern = readRedirectPattern(source);
      if (!pattern.isCatchAll) patterns.push(pattern);
    }
  }
  return (address) => exact.has(split(address).join('/')) || patterns.some(({ matches }) => matches(address));
}

/** In lower case, as many hosts do not tell the case apart. */
const split = (address: string) =>
  (address.split(/[?#]/, 1)[0] ?? '')
    .toLowerCase()
    .split(/\/(?![^(]*\))/)
    .filter(Boolean);

function readPart(part: string): Part {
  if (/^(?:\*|:\w+[*+]|:\w+\(\.\*\)|\(\.\*\))$/.test(part)) return { kind: 'rest' };
  const choice = /^(?::\w+)?\(([^()*+?[\]\\.]+)\)$/.exec(part)?.[1];
  if (choice !== undefined) return { kind: 'name', names: new Set(choice.split('|')) };
  return /[:*()]/.test(part) ? { kind: 'any' } : { kind: 'name', names: new Set([part]) };
}
