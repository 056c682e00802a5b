import { realTiming } from '../timing.ts';
import { isContained } from './commits.ts';
import { GitError } from './errors.ts';
import type { Git, GitResult, InRepository } from './git.ts';
import { explainRemoteFailure, type Remote, readTip } from './remote.ts';

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
    timeoutMs: realTiming.git.pushTimeoutMs,
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

export type PushResult =
  | { kind: 'pushed' }
  /** Somebody else moved the branch; `tip` is where it is now, null when it is gone. */
  | { kind: 'moved'; tip: string | null }
  /** The repository does not take it; `reason` is its own text, bounded. */
  | { kind: 'refused'; reason: string };

const maxReasonCharacters = 500;

/** Finds out what a push that did not end well came to, by reading the world rather than git's words. */
export async function explainFailedPush({
  git,
  remote,
  sha,
  branch,
  expected,
  pushed,
  signal,
}: {
  git: Git;
  remote: Remote;
  sha: string;
  branch: string;
  expected: string | null;
  pushed: GitResult | GitError;
  signal: AbortSignal;
}): Promise<PushResult> {
  const tip = await readTip({ git, ...remote, branch, signal });
  if (tip === sha) {
    return { kind: 'pushed' };
  }
  if (tip !== expected) {
    return { kind: 'moved', tip };
  }
  if (pushed instanceof GitError) {
    throw await explainRemoteFailure({
      git,
      remote,
      service: 'git-receive-pack',
      cause: pushed,
      action: `push branch ${branch} to`,
      signal,
    });
  }
  const reason = findRejection(pushed);
  if (reason === undefined) {
    throw new Error(`could not push branch ${branch} to ${remote.url}: ${pushed.stderr}`);
  }
  return { kind: 'refused', reason };
}

/**
 * What the remote says when it declines a push: the documented `!` line of `--porcelain` and the lines of its hooks, which carry the rule
 * that was broken. https://git-scm.com/docs/git-push (OUTPUT)
 */
function findRejection({ stdout, stderr }: GitResult): string | undefined {
  const declined = /^!\t[^\t]*\t\[remote rejected\] \((.*)\)$/m.exec(stdout.toString())?.[1];
  if (declined === undefined) {
    return undefined;
  }
  const said = [...stderr.matchAll(/^remote: (?:error: )?(.*\S)\s*$/gm)].map(([, line]) => line);
  const reason = [declined, ...said].join('; ').replace(/\p{Cc}+/gu, ' ');
  return reason.length > maxReasonCharacters ? `${reason.slice(0, maxReasonCharacters)}…` : reason;
}
