import { requireAllowedChanges } from './changes.ts';
import { explainFailedPush, type PushResult } from './explain-failed-push.ts';
import type { Git } from './git.ts';
import { GitError } from './git-error.ts';
import { splitAtNul } from './tree.ts';
import { type CommitDetails, readTreeSha, writeCommit } from './write-commit.ts';

export type MergeResult = { kind: 'merged'; sha: string } | { kind: 'empty' } | { kind: 'conflict'; paths: string[] };

/**
 * Puts the change of `ours` on top of `tip`, where somebody pushed meanwhile: a three-way merge of the two, committed with `tip` as its
 * only parent. Deterministic. `empty`: the tip holds all of it already, also when it was pushed and somebody went on from it. Throws `RunFailure` with `protected_paths` as a commit does.
 */
export async function mergeOnto({
  git,
  mirror,
  ours,
  tip,
  allow,
  signal,
  ...details
}: CommitDetails & {
  git: Git;
  mirror: { directory: string };
  ours: string;
  tip: string;
  allow?: readonly string[] | undefined;
  signal: AbortSignal;
}): Promise<MergeResult> {
  const gitDir = mirror.directory;
  const options = { signal, gitDir };
  // Without a common ancestor (somebody replaced the branch) there is nothing to merge by: every file of ours is in question.
  const ancestor = await git(['merge-base', tip, ours], { ...options, okCodes: [0, 1] });
  if (ancestor.code === 1) {
    return { kind: 'conflict', paths: await listChangedPaths({ git, mirror, from: `${ours}^`, to: ours, signal }) };
  }
  const merge = await git(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', tip, ours], {
    ...options,
    okCodes: [0, 1],
  });
  const [tree = '', ...paths] = Array.from(splitAtNul(merge.stdout), String);
  if (merge.code === 1) {
    return { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
  }
  if (tree === (await readTreeSha(git, gitDir, tip, signal))) {
    return { kind: 'empty' };
  }
  await requireAllowedChanges({ git, gitDir, from: tip, to: tree, allow, signal });
  return { kind: 'merged', sha: await writeCommit({ git, gitDir, tree, parent: tip, details, signal }) };
}

const PUSH_TIMEOUT_MS = 5 * 60 * 1000;

/**
 * Sets a branch to `sha`, only if its tip is `expected` (null: only if it does not exist) and only forwards: nobody's commit is ever
 * overwritten. Idempotent: when the branch is at `sha` already, it is pushed. An ambiguous failure is cleared up by reading the tip. Throws
 * `RunFailure` with `repository_gone`; any other error may pass by itself.
 */
export async function pushBranch({
  git,
  mirror: { directory: gitDir },
  url,
  token,
  sha,
  branch,
  expected,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  url: string;
  token: string;
  sha: string;
  branch: string;
  expected: string | null;
  signal: AbortSignal;
}): Promise<PushResult> {
  const remote = { url, token };
  // A lease alone would let a push rewind the branch to another line of commits.
  if (
    expected !== null &&
    !(await isContained({ git, mirror: { directory: gitDir }, sha: expected, tip: sha, signal }))
  ) {
    throw new Error(`could not push ${sha}: it does not follow ${expected}, so it would overwrite commits`);
  }
  const ref = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  const pushed = await git(['push', '--porcelain', '--no-verify', lease, '--', url, `${sha}:${ref}`], {
    signal,
    gitDir,
    credential: remote,
    timeoutMs: PUSH_TIMEOUT_MS,
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

/** The paths that differ between two commits, in order; a renamed file is there with both names. */
export async function listChangedPaths({
  git,
  mirror: { directory: gitDir },
  from,
  to,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  from: string;
  to: string;
  signal: AbortSignal;
}): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--'];
  return Array.from(splitAtNul((await git(args, { signal, gitDir })).stdout), String);
}

/** Whether the mirror has a commit. */
export async function hasCommit({
  git,
  mirror: { directory: gitDir },
  sha,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  sha: string;
  signal: AbortSignal;
}): Promise<boolean> {
  const { code } = await git(['cat-file', '-e', `${sha}^{commit}`], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}

/** Whether `tip` is `sha` or has it among its ancestors; false when the mirror does not have both. */
export async function isContained({
  git,
  mirror: { directory: gitDir },
  sha,
  tip,
  signal,
}: {
  git: Git;
  mirror: { directory: string };
  sha: string;
  tip: string;
  signal: AbortSignal;
}): Promise<boolean> {
  const { code } = await git(['merge-base', '--is-ancestor', sha, tip], { signal, gitDir, okCodes: [0, 1, 128] });
  return code === 0;
}
