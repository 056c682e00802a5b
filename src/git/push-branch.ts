import { isContained } from './commits.ts';
import { GitError } from './errors.ts';
import type { Git, GitResult, InRepository } from './git.ts';
import { explainRemoteFailure, type Remote, readTip } from './remote.ts';

const pushTimeoutMs = 5 * 60_000;

/** Fast-forwards a branch to `sha`, only if its tip is `expected` (null: it does not exist). Idempotent: an ambiguous failure is resolved by
 * reading the tip. Throws `GitRefusal` `repository_gone`; other errors may pass. */
export async function pushBranch(
  options: InRepository & {
    url: string;
    token: string;
    sha: string;
    branch: string;
    expected: string | null;
  },
): Promise<PushResult> {
  const { git, gitDir, url, token, sha, branch, expected, signal } = options;
  const remote = { url, token };
  // A lease alone would allow a rewind to another line of commits.
  if (expected !== null && !(await isContained({ git, gitDir, sha: expected, tip: sha, signal })))
    throw new Error(`could not push ${sha}: it does not follow ${expected}, so it would overwrite commits`);
  const ref = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  const pushed = await git(['push', '--porcelain', '--no-verify', lease, '--', url, `${sha}:${ref}`], {
    signal,
    gitDir,
    credential: remote,
    timeoutMs: pushTimeoutMs,
    okCodes: [0, 1],
  }).catch((error: unknown) => {
    if (error instanceof GitError) return error;
    throw error;
  });
  if (pushed instanceof GitError || pushed.code !== 0)
    return explainFailedPush({ git, remote, sha, branch, expected, pushed, signal });
  return { kind: 'pushed' };
}

type PushResult =
  | { kind: 'pushed' }
  /** Someone else moved the branch to `tip`; null: deleted it. */
  | { kind: 'moved'; tip: string | null }
  /** `reason` is the remote's own text, bounded. */
  | { kind: 'refused'; reason: string };

const maxReasonCharacters = 500;

/** Decides by the remote's tip, not by git's text. */
async function explainFailedPush(options: {
  git: Git;
  remote: Remote;
  sha: string;
  branch: string;
  expected: string | null;
  pushed: GitResult | GitError;
  signal: AbortSignal;
}): Promise<PushResult> {
  const { git, remote, sha, branch, expected, pushed, signal } = options;
  const tip = await readTip({ git, ...remote, branch, signal });
  if (tip === sha) return { kind: 'pushed' };
  if (tip !== expected) return { kind: 'moved', tip };
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
  if (reason === undefined) throw new Error(`could not push branch ${branch} to ${remote.url}: ${pushed.stderr}`);
  return { kind: 'refused', reason };
}

/** The `!` line of `--porcelain` and the hooks' lines, which name the broken rule: https://git-scm.com/docs/git-push (OUTPUT) */
function findRejection({ stdout, stderr }: GitResult): string | undefined {
  const declined = /^!\t[^\t]*\t\[remote rejected\] \((.*)\)$/m.exec(stdout.toString())?.[1];
  if (declined === undefined) return undefined;
  const remoteLines = [...stderr.matchAll(/^remote: (?:error: )?(.*\S)\s*$/gm)].map(([, line]) => line);
  const reason = [declined, ...remoteLines].join('; ').replace(/\p{Cc}+/gu, ' ');
  return reason.length > maxReasonCharacters ? `${reason.slice(0, maxReasonCharacters)}…` : reason;
}
