import { requireAllowedChanges } from './changes.ts';
import { listChangedPaths } from './commits.ts';
import type { Git } from './git.ts';
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
