import { LRUCache } from 'lru-cache';
import { GitError, runGit } from './run-git.ts';

/** State of the module, because nothing in it can become outdated: a commit never changes, and each repository's directory has a random name. */
const outputs = new LRUCache<string, Promise<string>>({ max: 2_000 });

const isCommit = (revision: string) => /^[0-9a-f]{40}$/.test(revision);

/**
 * As `runGit`, for a command whose output depends on `commits` alone: it runs once. Each view of a pull request asks the same questions,
 * and starting git costs more than answering them.
 */
export function runPureGit(directory: string, args: string[], commits: string[]): Promise<string> {
  if (!commits.every(isCommit)) return runGit(directory, args);
  const key = [directory, ...args].join('\0');
  const known = outputs.get(key);
  if (known) return known;
  const output = runGit(directory, args);
  outputs.set(key, output);
  output.catch((error: unknown) => {
    // Status 1 is an answer. Anything else may be a commit that is not there yet.
    if (!(error instanceof GitError && error.status === 1)) outputs.delete(key);
  });
  return output;
}
