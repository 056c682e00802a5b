import { isContained } from './commits.ts';
import { explainFailedPush, type PushResult } from './explain-failed-push.ts';
import type { InRepository } from './git.ts';
import { GitError } from './git-error.ts';

const pushTimeoutMs = 5 * 60 * 1000;

/**
 * Sets a branch to `sha`, only if its tip is `expected` (null: only if it does not exist) and only forwards: nobody's commit is ever
 * overwritten. Idempotent: when the branch is at `sha` already, it is pushed. An ambiguous failure is cleared up by reading the tip. Throws
 * `GitRefusal` with `repository_gone`; any other error may pass by itself.
 */
export async function pushBranch({
  git,
  gitDir,
  url,
  token,
  sha,
  branch,
  expected,
  signal,
}: InRepository & {
  url: string;
  token: string;
  sha: string;
  branch: string;
  expected: string | null;
}): Promise<PushResult> {
  const remote = { url, token };
  // A lease alone would let a push rewind the branch to another line of commits.
  if (expected !== null && !(await isContained({ git, gitDir, sha: expected, tip: sha, signal }))) {
    throw new Error(`could not push ${sha}: it does not follow ${expected}, so it would overwrite commits`);
  }
  const ref = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  const pushed = await git(['push', '--porcelain', '--no-verify', lease, '--', url, `${sha}:${ref}`], {
    signal,
    gitDir,
    credential: remote,
    timeoutMs: pushTimeoutMs,
    okCodes: [0, 1],
  }).catch((error: unknown) => {
    if (error instanceof GitError) {
      return error;
    }
    throw error;
  });
  if (pushed instanceof GitError || pushed.code !== 0) {
    return explainFailedPush({ git, remote, sha, branch, expected, pushed, signal });
  }
  return { kind: 'pushed' };
}
