import { GitError } from '../git/errors.ts';
import type { InRepository } from '../git/git.ts';

/** What a workspace is searched for: a POSIX extended regular expression, in files at or below `path`. */
export interface SearchQuery {
  pattern: string;
  path?: string | undefined;
  ignoreCase?: boolean | undefined;
}

export interface SearchMatch {
  path: string;
  line: number;
  text: string;
}

export type SearchResult =
  | { kind: 'matches'; matches: SearchMatch[]; isCut: boolean }
  | { kind: 'invalid_pattern'; reason: string }
  | { kind: 'too_slow' }
  | { kind: 'refused'; reason: string };

const maxSearchOutputBytes = 256 * 1024;
const maxPatternCharacters = 1_000;
const maxMatchesPerFile = 100;
const maxRepeats = 1_000;
/** Some 30 MiB in git. */
const maxRepeatedCharacters = 100_000;

/**
 * Searches plain files with `git grep` in a process of its own, ended when it takes too long: a regular expression written by a model
 * can take exponential time. Reads nothing outside `directory`; `path` has passed `checkPath`.
 */
export async function searchFiles({
  git,
  gitDir,
  directory,
  query: { pattern, path, ignoreCase = false },
  timeoutMs,
  signal,
}: InRepository & { directory: string; query: SearchQuery; timeoutMs: number }): Promise<SearchResult> {
  if (pattern === '' || pattern.length > maxPatternCharacters || /[\0\r\n]/.test(pattern)) {
    return {
      kind: 'invalid_pattern',
      reason: `a pattern is one line of 1 to ${maxPatternCharacters} characters; it is matched line by line`,
    };
  }
  const repeats = countRepeats(pattern);
  if (repeats > maxRepeats || (repeats > 1 && repeats * pattern.length > maxRepeatedCharacters)) {
    return {
      kind: 'invalid_pattern',
      reason: `its counts in { } multiply to more than ${maxRepeats}, or repeat too long a text; use smaller ones, or * and +`,
    };
  }
  const flags = ['-E', '-I', '-n', '-z', '--no-color', '--no-textconv', ...(ignoreCase ? ['-i'] : [])];
  try {
    const result = await git(
      ['grep', '--no-index', ...flags, `--max-count=${maxMatchesPerFile}`, '-e', pattern, '--', path ?? '.'],
      {
        signal,
        // Named so that git does not look for a repository in a folder that somebody else filled.
        gitDir,
        cwd: directory,
        // Characters, not bytes, for `.` and for letter case.
        env: { GIT_WORK_TREE: directory, LC_ALL: 'C.UTF-8' },
        timeoutMs,
        maxOutputBytes: maxSearchOutputBytes,
        onLongOutput: 'truncate',
        okCodes: [0, 1],
      },
    );
    return { kind: 'matches', matches: parseMatches(result.stdout.toString()), isCut: result.truncated };
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
    if (error.failure === 'timeout') {
      return { kind: 'too_slow' };
    }
    // git grep ends with 128 for an expression it cannot compile; the C library's words about it are of use to the model.
    if (error.failure === 'exit' && error.code === 128) {
      return { kind: 'invalid_pattern', reason: error.stderr.replace(/^fatal: command line, /, '').slice(0, 300) };
    }
    // The C library compiles by recursion, and some expressions are too much for its stack.
    if (error.failure === 'signal') {
      return { kind: 'invalid_pattern', reason: 'git cannot cope with it; use a simpler one' };
    }
    throw error;
  }
}

/**
 * How often the C library writes out a part of the pattern at worst: it copies what `{m,n}` repeats, and counts inside of counts multiply,
 * to gigabytes for `(a{1,32767}){1,32767}`. Counts side by side are taken the same way, which errs to the safe side.
 * https://sourceware.org/git/?p=glibc.git;a=blob;f=posix/regcomp.c (parse_dup_op)
 */
function countRepeats(pattern: string): number {
  const counts = pattern.replace(/\\./g, '').matchAll(/\{(\d*)(?:,(\d*))?\}/g);
  return counts.reduce((product, [, least, most]) => product * Math.max(1, Number(least), Number(most ?? 0)), 1);
}

function parseMatches(output: string): SearchMatch[] {
  return output.split('\n').flatMap((row) => {
    const [path, line, ...text] = row.split('\0');
    return path === undefined || line === undefined || text.length === 0
      ? []
      : [{ path, line: Number(line), text: text.join('\0').replace(/\r$/, '') }];
  });
}
