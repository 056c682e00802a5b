import { isContained } from './commits.ts';
import { GitError } from './errors.ts';
import type { GitResult, InRepository } from './git.ts';
import { explainRemoteFailure, type Remote, readTip } from './remote.ts';
import { runGit } from './run-git.ts';

const pushTimeoutMs = 5 * 60_000;

interface Push extends InRepository, Remote {
  sha: string;
  branch: string;
  expected: string | null;
}

/** Fast-forwards a branch to `sha`, only if its tip is `expected` (null: it does not exist). Idempotent: an ambiguous failure is resolved by
 * reading the tip. Throws `GitRefusal` `repository_gone`; other errors may pass. */
export async function pushBranch(push: Push): Promise<PushResult> {
  const { git, gitDir, url, token, sha, branch, expected, signal } = push;
  // A lease alone would allow a rewind to another line of commits.
  if (expected !== null && !(await isContained({ git, gitDir, sha: expected, tip: sha, signal })))
    throw new Error(`could not push ${sha}: it does not follow ${expected}, so it would overwrite commits`);
  const ref = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  const pushed = await runGit(push, ['push', '--porcelain', '--no-verify', lease, '--', url, `${sha}:${ref}`], {
    credential: { url, token },
    timeoutMs: pushTimeoutMs,
    okCodes: [0, 1],
  }).catch((error: unknown) => {
    if (error instanceof GitError) return error;
    throw error;
  });
  return pushed instanceof GitError || pushed.code !== 0 ? explainFailedPush(push, pushed) : { kind: 'pushed' };
}

type PushResult =
  | { kind: 'pushed' }
  /** Someone else moved the branch to `tip`; null: deleted it. */
  | { kind: 'moved'; tip: string | null }
  /** `reason` is the remote's own text, bounded. */
  | { kind: 'refused'; reason: string };

const maxReasonCharacters = 500;

/** Decides by the remote's tip, not by git's text. */
async function explainFailedPush(push: Push, pushed: GitResult | GitError): Promise<PushResult> {
  const { git, url, token, sha, branch, expected, signal } = push;
  const tip = await readTip({ git, url, token, branch, signal });
  if (tip === sha) return { kind: 'pushed' };
  if (tip !== expected) return { kind: 'moved', tip };
  if (pushed instanceof GitError) {
    const failed = { service: 'git-receive-pack', cause: pushed, action: `push branch ${branch} to` } as const;
    throw await explainRemoteFailure({ git, remote: { url, token }, ...failed, signal });
  }
  const reason = findRejection(pushed);
  if (reason === undefined) throw new Error(`could not push branch ${branch} to ${url}: ${pushed.stderr}`);
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
