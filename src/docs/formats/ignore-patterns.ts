import { matchWild } from '../../glob.ts';

/** A file like .gitignore, and the folder that it lies in. */
interface IgnoreFile {
  folder: string;
  text: string;
}

interface IgnorePattern {
  /** As many as the folder of the file has names, and those of the pattern. */
  segments: string[];
  isException: boolean;
}

/** The patterns of one file like .gitignore, for paths below its folder. */
export const createIgnoreTest = (text = ''): ((path: string) => boolean) =>
  createIgnoreFilesTest([{ folder: '', text }]);

/**
 * Reads the files from the outermost folder to the innermost: the last pattern that matches decides, and what lies in an ignored folder stays
 * ignored. `isKept`: a folder that no pattern ignores. https://git-scm.com/docs/gitignore#_pattern_format
 */
export function createIgnoreFilesTest(
  files: readonly IgnoreFile[],
  { isKept = () => false }: { isKept?: (folder: string) => boolean } = {},
): (path: string) => boolean {
  const patterns = files.toSorted((a, b) => a.folder.length - b.folder.length).flatMap(listPatterns);
  return (path) => {
    const names = path.split('/');
    return names.some((_, index) => {
      const items = names.slice(0, index + 1);
      if (isKept(items.join('/'))) return false;
      const last = patterns.findLast(({ segments }) =>
        matchWild({ pattern: segments, items, isWild: (part) => part === anyFolders, matches: matchName }),
      );
      return last !== undefined && !last.isException;
    });
  };
}

const anyFolders = '**';

const listPatterns = ({ folder, text }: IgnoreFile): IgnorePattern[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      return { isException, segments: [...listNames(folder), ...toSegments(line.replace(/^!/, ''))] };
    });

/** A pattern without a slash in front of or inside of it holds in every folder. `x/**` is what `x` holds, not `x`. */
const toSegments = (pattern: string): string[] => [
  ...(/^\/|\/./.test(pattern) ? [] : [anyFolders]),
  ...listNames(pattern.replace(/\/\*\*$/, '/*')),
];

const listNames = (path: string): string[] => path.split('/').filter((name) => name !== '');

const matchName = (pattern: string, name: string): boolean =>
  matchWild({
    pattern: [...pattern],
    items: [...name],
    isWild: (part) => part === '*',
    matches: (part, character) => part === '?' || part === character,
  });
