import { GitError } from '../git/errors.ts';
import type { InRepository } from '../git/git.ts';

/** `pattern` is a POSIX extended regular expression. Searches files at or below `path`. */
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
/** Uses some 30 MiB in git. */
const maxRepeatedCharacters = 100_000;

/** A process of its own with a time-out, because a model's pattern can take exponential time. `path` has passed `checkPath`. */
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
      reason: `a pattern is one line of 1 to ${maxPatternCharacters} characters, matched line by line`,
    };
  }
  const repeats = countRepeats(pattern);
  if (repeats > maxRepeats || (repeats > 1 && repeats * pattern.length > maxRepeatedCharacters)) {
    return {
      kind: 'invalid_pattern',
      reason: `its counts in { } multiply to more than ${maxRepeats}, or repeat a text that is too long; use smaller counts, or * and +`,
    };
  }
  const flags = ['-E', '-I', '-n', '-z', '--no-color', '--no-textconv', ...(ignoreCase ? ['-i'] : [])];
  try {
    const result = await git(
      ['grep', '--no-index', ...flags, `--max-count=${maxMatchesPerFile}`, '-e', pattern, '--', path ?? '.'],
      {
        signal,
        // Set so that git does not look for a repository in the untrusted folder.
        gitDir,
        cwd: directory,
        // `.` and letter case then work on characters, not bytes.
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
    // git grep exits with 128 when it cannot compile the expression. The C library's message helps the model.
    if (error.failure === 'exit' && error.code === 128) {
      return { kind: 'invalid_pattern', reason: error.stderr.replace(/^fatal: command line, /, '').slice(0, 300) };
    }
    // The C library compiles by recursion, and some expressions are too much for its stack.
    if (error.failure === 'signal') {
      return { kind: 'invalid_pattern', reason: 'it is too complex for git; use a simpler one' };
    }
    throw error;
  }
}

/** Nested counts multiply in glibc, to gigabytes: https://sourceware.org/git/?p=glibc.git;a=blob;f=posix/regcomp.c (parse_dup_op) */
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
