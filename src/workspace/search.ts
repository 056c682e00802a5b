import { checkPath } from '../git/check-path.ts';
import { GitError } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { type FileSelection, toPathspecs } from './pathspecs.ts';

/** `pattern` is a POSIX extended regular expression, or with `isLiteral` a text. Searches files at or below `path`. */
export interface SearchQuery extends FileSelection {
  pattern: string;
  isLiteral?: boolean | undefined;
  ignoreCase?: boolean | undefined;
}

export interface SearchMatch {
  path: string;
  line: number;
  text: string;
  /** Where the first match begins in `text`. */
  at: number;
}

interface FileCount {
  path: string;
  lines: number;
}

export type SearchResult = { kind: 'matches'; matches: SearchMatch[]; isCut: boolean } | NoSearchResult;

export type CountResult =
  /** All files that match; `isCut`: there are more. */
  { kind: 'counts'; files: FileCount[]; isCut: boolean } | NoSearchResult;

export type NoSearchResult =
  | { kind: 'invalid_pattern'; reason: string }
  | { kind: 'too_slow' }
  | { kind: 'missing'; path: string }
  | { kind: 'refused'; reason: string };

const maxSearchOutputBytes = 512 * 1024;
const maxPatternCharacters = 1_000;
const maxMatchesPerFile = 100;
const maxRepeats = 1_000;
/** Uses some 30 MiB in git. */
const maxRepeatedCharacters = 100_000;

/** The files of a folder, or those of a commit. */
type Place = { git: Git; gitDir: string; timeoutMs: number } & ({ directory: string } | { sha: string });

type SearchIn = Place & { query: SearchQuery; signal: AbortSignal };

/** Searches in which no file is found that may not be read. */
export function createSearch(
  place: Place,
  files: {
    exists: (path: string) => boolean;
    findRefusal: (path: string) => string | undefined;
    /** Of the paths with what was found there, those that may be shown. `matches` is missing where lines are only counted. */
    listShown: (found: readonly { path: string; matches?: readonly SearchMatch[] }[]) => Promise<ReadonlySet<string>>;
  },
) {
  function findPlace(
    requested: string | undefined,
  ):
    | { kind: 'path'; path?: string | undefined }
    | { kind: 'missing'; path: string }
    | { kind: 'refused'; reason: string } {
    // `.` and `/` mean the root, but checkPath refuses them.
    if (requested === undefined || /^(\.?\/*)$/.test(requested)) return { kind: 'path' };
    const checked = checkPath(requested);
    if (checked.kind === 'refused') return checked;
    const { path } = checked;
    const reason = files.findRefusal(path);
    if (reason !== undefined) return { kind: 'refused', reason };
    return files.exists(path) ? checked : { kind: 'missing', path };
  }

  return {
    async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
      const at = findPlace(query.path);
      if (at.kind !== 'path') return at;
      const found = await searchFiles({ ...place, query: { ...query, path: at.path }, signal });
      if (found.kind !== 'matches') return found;
      const byPath = Map.groupBy(found.matches, ({ path }) => path);
      const shown = await files.listShown(Array.from(byPath, ([path, matches]) => ({ path, matches })));
      return { ...found, matches: found.matches.filter(({ path }) => shown.has(path)) };
    },
    /** The same search, but only how many lines match in each file. */
    async countMatches(query: SearchQuery, signal: AbortSignal): Promise<CountResult> {
      const at = findPlace(query.path);
      if (at.kind !== 'path') return at;
      const found = await countLines({ ...place, query: { ...query, path: at.path }, signal });
      if (found.kind !== 'counts') return found;
      const shown = await files.listShown(found.files.map(({ path }) => ({ path })));
      return { ...found, files: found.files.filter(({ path }) => shown.has(path)) };
    },
  };
}

/** Runs git with a time-out, because a model's pattern can take exponential time. `path` has passed `checkPath`. */
export async function searchFiles(search: SearchIn): Promise<SearchResult> {
  const found = await grep(search, ['-n', '--column', `--max-count=${maxMatchesPerFile}`]);
  return found.kind === 'output'
    ? { kind: 'matches', matches: nameFiles(search, parseMatches(found.output)), isCut: found.isCut }
    : found;
}

/** Counts the matching lines of each file. Otherwise like `searchFiles`. */
async function countLines(search: SearchIn): Promise<CountResult> {
  const found = await grep(search, ['-c']);
  return found.kind === 'output'
    ? { kind: 'counts', files: nameFiles(search, parseCounts(found.output)), isCut: found.isCut }
    : found;
}

/** git grep writes the commit before each path. */
const nameFiles = <Found extends { path: string }>(search: SearchIn, found: Found[]): Found[] =>
  'sha' in search ? found.map((each) => ({ ...each, path: each.path.slice(search.sha.length + 1) })) : found;

async function grep(
  { git, gitDir, query, timeoutMs, signal, ...place }: SearchIn,
  flags: readonly string[],
): Promise<{ kind: 'output'; output: Buffer; isCut: boolean } | NoSearchResult> {
  const { pattern, isLiteral = false, ignoreCase = false } = query;
  const reason = findPatternFault(pattern, isLiteral);
  if (reason !== undefined) return { kind: 'invalid_pattern', reason };
  const pathspecs = toPathspecs(query);
  if (pathspecs.kind === 'refused') return pathspecs;
  const all = [isLiteral ? '-F' : '-E', '-I', '-z', '--no-color', '--no-textconv', ...(ignoreCase ? ['-i'] : [])];
  try {
    const isInCommit = 'sha' in place;
    const options = [...(isInCommit ? [] : ['--no-index']), ...all, ...flags, '-e', pattern];
    const result = await git(['grep', ...options, ...(isInCommit ? [place.sha] : []), '--', ...pathspecs.pathspecs], {
      signal,
      // Set so that git does not look for a repository in the untrusted folder.
      gitDir,
      ...(!isInCommit && { cwd: place.directory }),
      env: {
        ...(!isInCommit && { GIT_WORK_TREE: place.directory }),
        // `.` and letter case then work on characters, not bytes.
        LC_ALL: 'C.UTF-8',
        GIT_LITERAL_PATHSPECS: '0',
      },
      timeoutMs,
      maxOutputBytes: maxSearchOutputBytes,
      onLongOutput: 'truncate',
      okCodes: [0, 1],
    });
    return { kind: 'output', output: result.stdout, isCut: result.truncated };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.failure === 'timeout') return { kind: 'too_slow' };
    // git grep exits with 128 when it cannot compile the expression. The C library's message helps the model.
    if (error.failure === 'exit' && error.code === 128)
      return { kind: 'invalid_pattern', reason: error.stderr.replace(/^fatal: command line, /, '').slice(0, 300) };
    // The C library compiles by recursion, and some expressions are too much for its stack.
    if (error.failure === 'signal')
      return { kind: 'invalid_pattern', reason: 'it is too complex for git; use a simpler one' };
    throw error;
  }
}

function findPatternFault(pattern: string, isLiteral: boolean): string | undefined {
  if (pattern === '' || pattern.length > maxPatternCharacters || /[\0\r\n]/.test(pattern))
    return `a pattern is one line of 1 to ${maxPatternCharacters} characters, matched line by line`;
  const repeats = isLiteral ? 1 : countRepeats(pattern);
  return repeats > maxRepeats || (repeats > 1 && repeats * pattern.length > maxRepeatedCharacters)
    ? `its counts in { } multiply to more than ${maxRepeats}, or repeat a text that is too long; use smaller counts, or * and +`
    : undefined;
}

/** Nested counts multiply in glibc, to gigabytes: https://sourceware.org/git/?p=glibc.git;a=blob;f=posix/regcomp.c (parse_dup_op) */
function countRepeats(pattern: string): number {
  const counts = pattern.replace(/\\./g, '').matchAll(/\{(\d*)(?:,(\d*))?\}/g);
  return counts.reduce((product, [, least, most]) => product * Math.max(1, Number(least), Number(most ?? 0)), 1);
}

/** Rows are `path NUL line NUL column NUL text`; the column counts bytes, from 1. The last row may be cut. */
function parseMatches(output: Buffer): SearchMatch[] {
  const matches: SearchMatch[] = [];
  for (let start = 0; start < output.length; ) {
    const end = endOf(output, '\n', start);
    const path = endOf(output, '\0', start);
    const line = endOf(output, '\0', path + 1);
    const column = endOf(output, '\0', line + 1);
    if (column < end) {
      const bytes = output.subarray(column + 1, end);
      const at = Number(output.toString('latin1', line + 1, column)) - 1;
      matches.push({
        path: output.toString('utf8', start, path),
        line: Number(output.toString('latin1', path + 1, line)),
        text: bytes.toString().replace(/\r$/, ''),
        at: bytes.toString('utf8', 0, at).length,
      });
    }
    start = end + 1;
  }
  return matches;
}

/** Rows are `path NUL count`. */
function parseCounts(output: Buffer): FileCount[] {
  return output
    .toString()
    .split('\n')
    .slice(0, -1)
    .flatMap((row) => {
      const [path, lines] = row.split('\0');
      return path === undefined || lines === undefined ? [] : [{ path, lines: Number(lines) }];
    });
}

function endOf(output: Buffer, mark: string, from: number): number {
  const end = output.indexOf(mark, from);
  return end === -1 ? output.length : end;
}
