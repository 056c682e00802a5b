import { matchWild } from '../../glob.ts';

/** A file like .gitignore, and the folder that it lies in. */
interface IgnoreFile {
  folder: string;
  text: string;
}

interface IgnorePattern {
  /** Of the folder of the file, then those of the pattern. */
  segments: Segment[];
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
  const known = new Map<string, boolean>();
  const isIgnored = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const is = !isKept(path) && isMatched(path);
    known.set(path, is);
    return is;
  };
  const isMatched = (path: string): boolean => {
    const items = path.split('/');
    const last = patterns.findLast(({ segments }) => matchWild({ pattern: segments, items, isWild, matches }));
    return last !== undefined && !last.isException;
  };
  return (path) => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      if (isIgnored(path.slice(0, end))) return true;
    return isIgnored(path);
  };
}

/** A name without wildcards, or the characters of one. */
type Segment = string | readonly string[];

const anyFolders = '**';
const isWild = (segment: Segment) => segment === anyFolders;
const matches = (segment: Segment, name: string) =>
  typeof segment === 'string' ? segment === name : matchName(segment, name);

const listPatterns = ({ folder, text }: IgnoreFile): IgnorePattern[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      const own = toSegments(line.replace(/^!/, ''));
      return { isException, segments: [...listNames(folder), ...own.map(toSegment)] };
    });

/** A pattern without a slash in front of or inside of it holds in every folder. `x/**` is what `x` holds, not `x`. */
const toSegments = (pattern: string): string[] => [
  ...(/^\/|\/./.test(pattern) ? [] : [anyFolders]),
  ...listNames(pattern.replace(/\/\*\*$/, '/*')),
];

const toSegment = (name: string): Segment => (name !== anyFolders && /[*?]/.test(name) ? [...name] : name);

const listNames = (path: string): string[] => path.split('/').filter((name) => name !== '');

const matchName = (pattern: readonly string[], name: string): boolean =>
  matchWild({
    pattern,
    items: [...name],
    isWild: (part) => part === '*',
    matches: (part, character) => part === '?' || part === character,
  });
