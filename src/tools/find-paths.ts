import type { ThreadTask } from '../threads/threads.ts';
import { compileGlob, type GlobTest, maxGlobLength } from '../workspace/policy/glob.ts';
import { cutLine, formatCount } from './limits.ts';

interface Query {
  files: readonly string[];
  /** Only files below this folder. */
  path: string;
  glob: string | undefined;
  maxRows: number;
}

/** `rows` are paths, or folders with their counts when `total` paths are too many. `reason` and `text` are for the model. */
export type FoundPaths =
  | { kind: 'rows'; rows: string[]; rest: number; total: number; isFolded: boolean }
  | { kind: 'none'; text: string }
  | { kind: 'refused'; reason: string };

const maxSmallFiles = 2_000;
/** One second at most. A hundred thousand paths against `**` and a few names need half of these steps. */
const maxGlobSteps = 50_000_000;
const maxEchoCharacters = 200;

export const pathsTask: ThreadTask<Query, FoundPaths> = {
  module: import.meta.url,
  work: findPaths,
  isSmall: ({ files }) => files.length <= maxSmallFiles,
};

/** The files below `path` that match `glob`, at most `maxRows` rows. */
export function findPaths({ files, path, glob, maxRows }: Query): FoundPaths {
  const echo = (text: string) => cutLine(text, maxEchoCharacters);
  const folder = path.split('/').filter((part) => part !== '' && part !== '.');
  const prefix = folder.length === 0 ? '' : `${folder.join('/')}/`;
  const matches = glob === undefined ? () => true : compileBelow(prefix, glob);
  if (matches === null) {
    return refused(`invalid glob; use *, **, ? and a few {a,b}, not nested, and at most ${maxGlobLength} characters`);
  }
  const below = files.filter((file) => file.startsWith(prefix));
  if (below.length === 0 && prefix !== '') {
    return refused(
      files.includes(prefix.slice(0, -1))
        ? `${echo(path)} is a file; use read_file to read it`
        : `there is no folder ${echo(path)}; call list_files without path to list the top level`,
    );
  }
  const matching: string[] = [];
  for (const file of below) {
    const isMatch = matches(file);
    if (isMatch === null) {
      return refused('the glob is too complex; use a simpler one');
    }
    if (isMatch) {
      matching.push(file);
    }
  }
  const total = matching.length;
  if (total === 0) {
    return { kind: 'none', text: `none of ${formatCount(below.length)} files matches ${echo(glob ?? prefix)}` };
  }
  const isFolded = total > maxRows;
  const rows = isFolded ? foldPaths(matching, maxRows) : matching;
  return { kind: 'rows', rows: rows.slice(0, maxRows), rest: Math.max(0, rows.length - maxRows), total, isFolded };
}

const refused = (reason: string): FoundPaths => ({ kind: 'refused', reason });

/** A glob that starts with the first name of the folder's path is relative to the root, any other glob to the folder. */
function compileBelow(prefix: string, glob: string): GlobTest | null {
  const matches = compileGlob(glob.includes('/') ? glob : `**/${glob}`, { maxSteps: maxGlobSteps });
  const isFromRoot = glob.split('/')[0] === prefix.split('/')[0];
  return matches === null || isFromRoot ? matches : (file) => matches(file.slice(prefix.length));
}

const maxDepth = 8;

/** Groups paths by folder, as deep as fits in `maxRows`, and at least one level deep. */
function foldPaths(paths: readonly string[], maxRows: number): string[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path) }));
  let rows: string[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const counts = new Map<string, number>();
    for (const { path, ends } of split) {
      const key = path.slice(0, ends[depth - 1]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (depth > 1 && counts.size > maxRows) {
      break;
    }
    rows = Array.from(counts, ([key, count]) => (key.endsWith('/') ? `${key} (${formatCount(count)} files)` : key));
  }
  return rows;
}

function findFolderEnds(path: string): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/'); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
