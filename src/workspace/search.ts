import type { Git } from './git.ts';
import { GitError } from './git-error.ts';

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

const MAX_OUTPUT_BYTES = 256 * 1024;
const MAX_PATTERN_CHARACTERS = 1_000;
const MAX_MATCHES_PER_FILE = 100;

/**
 * Searches plain files with `git grep` in a process of its own, ended when it takes too long: a regular expression written by a model
 * can take exponential time. Reads nothing outside `directory`; `path` has passed `judgePath`.
 */
export async function searchFiles({
  git,
  gitDir,
  directory,
  query: { pattern, path, ignoreCase = false },
  timeoutMs,
  signal,
}: {
  git: Git;
  /** Named so that git does not look for a repository in a folder that somebody else filled. */
  gitDir: string;
  directory: string;
  query: SearchQuery;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<SearchResult> {
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARACTERS || /[\0\r\n]/.test(pattern)) {
    return {
      kind: 'invalid_pattern',
      reason: `a pattern is one line of 1 to ${MAX_PATTERN_CHARACTERS} characters; it is matched line by line`,
    };
  }
  const flags = ['-E', '-I', '-n', '-z', '--no-color', '--no-textconv', ...(ignoreCase ? ['-i'] : [])];
  try {
    const result = await git(
      ['grep', '--no-index', ...flags, `--max-count=${MAX_MATCHES_PER_FILE}`, '-e', pattern, '--', path ?? '.'],
      {
        signal,
        gitDir,
        cwd: directory,
        // Characters, not bytes, for `.` and for letter case.
        env: { GIT_WORK_TREE: directory, LC_ALL: 'C.UTF-8' },
        timeoutMs,
        maxOutputBytes: MAX_OUTPUT_BYTES,
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
    throw error;
  }
}

function parseMatches(output: string): SearchMatch[] {
  return output.split('\n').flatMap((row) => {
    const [path, line, ...text] = row.split('\0');
    return path === undefined || line === undefined || text.length === 0
      ? []
      : [{ path, line: Number(line), text: text.join('\0').replace(/\r$/, '') }];
  });
}
