import { matchWild } from '../../glob.ts';

/** The patterns of a file like .gitignore, without exceptions: https://git-scm.com/docs/gitignore#_pattern_format */
export function createIgnoreTest(text: string | undefined): (path: string) => boolean {
  const patterns = (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('!'))
    .map(toSegments);
  return (path) => {
    const segments = path.split('/');
    return patterns.some((pattern) =>
      matchWild({ pattern, items: segments, isWild: (part) => part === '**', matches: matchName }),
    );
  };
}

/** A pattern without a slash in front of or inside of it holds in every folder; each one holds for all that is below. */
function toSegments(pattern: string): string[] {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  return [...(/^\/|\/./.test(pattern) ? [] : ['**']), ...segments, '**'];
}

const matchName = (pattern: string, name: string): boolean =>
  matchWild({
    pattern: [...pattern],
    items: [...name],
    isWild: (part) => part === '*',
    matches: (part, character) => part === '?' || part === character,
  });
