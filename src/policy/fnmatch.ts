import { matchWild } from '../glob.ts';

type Part = 'any' | ((character: string) => boolean);
type Segment = 'folders' | Part[];

const maxPatternCharacters = 1_000;

/**
 * Ruby's `File.fnmatch` with `FNM_PATHNAME`, as in GitHub's rules: `docs/**` matches entries directly in docs. Null for unsupported patterns.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/creating-rulesets-for-a-repository#using-fnmatch-syntax
 * https://docs.ruby-lang.org/en/master/File.html#method-c-fnmatch
 */
export function compileFnmatch(pattern: string): ((path: string) => boolean) | null {
  if (pattern.length > maxPatternCharacters || pattern.includes('\\')) return null;
  const names = pattern.split('/').filter((name) => name !== '');
  const compiled = names.map((name, index) =>
    name === '**' && index < names.length - 1 ? ('folders' as const) : compileName(name),
  );
  const segments = compiled.filter((segment) => segment !== null);
  if (segments.length === 0 || segments.length < compiled.length) return null;
  return (path) =>
    matchWild<Segment, string>({
      pattern: segments,
      items: path.split('/'),
      isWild: (segment) => segment === 'folders',
      matches: (segment, name) => segment !== 'folders' && matchesName(segment, name),
    });
}

const matchesName = (parts: readonly Part[], name: string): boolean =>
  matchWild({
    pattern: parts,
    items: [...name],
    isWild: (part) => part === 'any',
    matches: (part, character) => part !== 'any' && part(character),
  });

function compileName(name: string): Part[] | null {
  const parts: Part[] = [];
  for (const [token] of name.matchAll(/\[[^\]]*\]?|[^[]/gu)) {
    if (token === '*') {
      parts.push('any');
    } else if (token === '?') {
      parts.push(() => true);
    } else if (token.startsWith('[')) {
      const isSet = /^\[[^!^\]][^\]]*\]$/.test(token);
      if (!isSet) return null;
      parts.push(compileSet(token.slice(1, -1)));
    } else {
      parts.push((character) => character === token);
    }
  }
  return parts;
}

function compileSet(set: string): (character: string) => boolean {
  const ranges = Array.from(set.matchAll(/(.)-(.)|(.)/gsu), ([, from, to, one]) => [
    from ?? one ?? '',
    to ?? one ?? '',
  ]);
  return (character) => ranges.some(([from = '', to = '']) => from <= character && character <= to);
}
