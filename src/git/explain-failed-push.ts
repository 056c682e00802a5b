import type { Git, GitResult } from './git.ts';
import { GitError } from './git-error.ts';
import { explainRemoteFailure, type Remote, readTip } from './remote.ts';

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
