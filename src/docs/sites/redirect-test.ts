type Part = { kind: 'name'; names: ReadonlySet<string> } | { kind: 'any' } | { kind: 'rest' };

/** Whether a redirect from this pattern answers at an address. */
interface RedirectPattern {
  isCatchAll: boolean;
  /** Names no part of an address, so it does not count as an answer. */
  isVague: boolean;
  matches(address: string): boolean;
}

/**
 * Patterns of Mintlify, Netlify, Vercel and Next: `:name` stands for one name, `:name(a|b)` for one of these, `:rest*` and `*` for all that
 * follow. Anything else in them matches any one name.
 */
export function readRedirectPattern(source: string): RedirectPattern {
  const parts = split(source).map(readPart);
  return {
    isCatchAll: parts.length > 0 && parts.every(({ kind }) => kind === 'rest'),
    isVague: parts.every(({ kind }) => kind !== 'name'),
    matches(address) {
      const names = split(address);
      const rest = parts.findIndex(({ kind }) => kind === 'rest');
      const fixed = rest < 0 ? parts : parts.slice(0, rest);
      if (rest < 0 ? names.length !== parts.length : names.length < fixed.length) return false;
      return fixed.every((part, index) => part.kind !== 'name' || part.names.has(names[index] ?? ''));
    },
  };
}

/** A redirect to the 404 page is not an answer. */
export const isNotFound = (to: string | undefined): boolean => /(?:^|\/)404(?:\.html)?\/?$/.test(to ?? '');

export function createRedirectTest(
  redirects: Iterable<{ from: string; to: string | undefined }>,
): (address: string) => boolean {
  const exact = new Set<string>();
  const patterns: RedirectPattern[] = [];
  for (const { from: source, to } of redirects) {
    if (isNotFound(to)) continue;
    if (!/[:*(]/.test(source)) exact.add(split(source).join('/'));
    else {
      const pattern = readRedirectPattern(source);
      if (!pattern.isVague) patterns.push(pattern);
    }
  }
  return (address) => exact.has(split(address).join('/')) || patterns.some(({ matches }) => matches(address));
}

/** In lower case, because many hosts ignore the case. */
const split = (address: string) =>
  (address.split(/[?#]/, 1)[0] ?? '')
    .toLowerCase()
    .split(/\/(?![^(]{0,200}\))/)
    .filter(Boolean);

function readPart(part: string): Part {
  if (/^(?:\*|:\w+[*+]|:\w+\(\.\*\)|\(\.\*\))$/.test(part)) return { kind: 'rest' };
  const choice = /^(?::\w+)?\(([^()*+?[\]\\.]+)\)$/.exec(part)?.[1];
  if (choice !== undefined) return { kind: 'name', names: new Set(choice.split('|')) };
  return /[:*()]/.test(part) ? { kind: 'any' } : { kind: 'name', names: new Set([part]) };
}

/** Plugins make them: lists for models and for search engines, and feeds. */
export const builtFiles =
  /(?:^|\/)(?:llms(?:-\w+)?\.txt|sitemap(?:-[\w-]+)?\.xml|robots\.txt|(?:rss|atom|feed|index)\.xml|feed\.json)$/;
