import { compileGlob, type GlobTest } from '../../glob.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { describeClasses, describeInvalidGlob, isFromRoot } from '../../workspace/pathspecs.ts';
import { describeMissing } from '../output/describe-missing.ts';
import { cutLine, plural } from '../output/limits.ts';
import { foldRepeats, type PathRow } from './fold-repeats.ts';

interface Query {
  files: readonly string[];
  /** Only files below this folder. */
  path: string;
  glob: string | undefined;
  exclude?: string | undefined;
  maxRows: number;
}

/** `isFolded`: `total` paths are too many, and rows are folders. `reason` and `text` are for the model. */
export type FoundPaths =
  | { kind: 'rows'; rows: PathRow[]; rest: number; total: number; isFolded: boolean }
  | { kind: 'none'; text: string }
  | { kind: 'refused'; reason: string };

const maxSmallFiles = 2_000;
/** All paths may have so many characters, for each character of the globs. */
const maxSmallCharacters = 1_000_000;
/** One second at most. A hundred thousand paths against `**` and a few names need half of these steps. */
const maxGlobSteps = 50_000_000;
const maxEchoCharacters = 200;

export const pathsTask: ThreadTask<Query, FoundPaths> = {
  module: import.meta.url,
  work: findPaths,
  isSmall: ({ files, glob = '', exclude = '' }) =>
    files.length <= maxSmallFiles &&
    files.reduce((sum, { length }) => sum + length, 0) * (1 + glob.length + exclude.length) <= maxSmallCharacters,
};

/** The files below `path` that match `glob`, at most `maxRows` rows. Without a glob, trees that repeat another one and media are folded. */
export function findPaths({ files, path, glob, exclude, maxRows }: Query): FoundPaths {
  const echo = (text: string) => cutLine(text, maxEchoCharacters);
  const folder = path.split('/').filter((part) => part !== '' && part !== '.');
  const prefix = folder.length === 0 ? '' : `${folder.join('/')}/`;
  const isWanted = glob === undefined ? () => true : compileBelow(prefix, glob);
  const isUnwanted = exclude === undefined ? () => false : compileExclude(prefix, exclude);
  if (isWanted === null || isUnwanted === null) return refused(describeInvalidGlob());
  const below = files.filter((file) => file.startsWith(prefix));
  if (below.length === 0 && prefix !== '') {
    return refused(
      files.includes(prefix.slice(0, -1))
        ? `${echo(path)} is a file; use read_file to read it`
        : describeMissing({ path, files, orFolder: true }),
    );
  }
  const matching: string[] = [];
  for (const file of below) {
    const [wanted, unwanted] = [isWanted(file), isUnwanted(file)];
    if (wanted === null || unwanted === null) return refused('the glob is too complex; use a simpler one');
    if (wanted && !unwanted) matching.push(file);
  }
  const total = matching.length;
  if (total === 0) {
    return {
      kind: 'none',
      text: `none of ${plural(below.length, 'file')} matches ${echo(glob ?? prefix)}${describeClasses(glob)}`,
    };
  }
  const { repeats, media, single, kept } =
    glob === undefined ? foldRepeats(matching, prefix) : { repeats: [], media: [], single: matching, kept: matching };
  const isFolded = single.length + media.length + repeats.length > maxRows;
  const own = isFolded ? foldFolders(kept, { prefix, maxRows }) : [...single.map((file) => ({ path: file })), ...media];
  const rows = [...own, ...repeats].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { kind: 'rows', rows: rows.slice(0, maxRows), rest: Math.max(0, rows.length - maxRows), total, isFolded };
}

const refused = (reason: string): FoundPaths => ({ kind: 'refused', reason });

function compileBelow(prefix: string, glob: string): GlobTest | null {
  const matches = compileGlob(glob.includes('/') ? glob : `**/${glob}`, { maxSteps: maxGlobSteps });
  return matches === null || isFromRoot(glob, prefix) ? matches : (file) => matches(file.slice(prefix.length));
}

/** An excluded path may be a folder. */
function compileExclude(prefix: string, glob: string): GlobTest | null {
  const [file, folder] = [
    compileBelow(prefix, glob),
    compileBelow(prefix, `${glob.includes('/') ? '' : '**/'}${glob}/**`),
  ];
  return file === null || folder === null ? null : (path) => file(path) || folder(path);
}

const maxDepth = 8;

/** Groups paths by folder, as deep as fits in `maxRows`, and at least one level deep. */
function foldFolders(paths: readonly string[], { prefix, maxRows }: { prefix: string; maxRows: number }): PathRow[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path, prefix.length) }));
  let rows: PathRow[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const deeper = countFolders(split, depth);
    if (depth > 1 && deeper.length > maxRows) break;
    rows = deeper;
  }
  return rows;
}

function countFolders(split: readonly { path: string; ends: readonly number[] }[], depth: number): PathRow[] {
  const counts = new Map<string, number>();
  for (const { path, ends } of split) {
    // Each file of a folder that is not folded is a row.
    const key = ends.length < depth ? path : path.slice(0, ends[depth - 1]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([path, count]) => (path.endsWith('/') ? { path, note: plural(count, 'file') } : { path }));
}

function findFolderEnds(path: string, from: number): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/', from); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
