import { isContained } from '../../git/commits.ts';
import { listChangedPaths } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { type CommitDetails, readTreeSha, writeCommit } from '../../git/write-commit.ts';
import { requireAllowedChanges } from '../policy/require-allowed-changes.ts';
import type { WriteRules } from '../policy/write-rules.ts';
import { stripSide } from './conflicts.ts';
import { areRelated, mergeTrees } from './merge-trees.ts';

export type MergeResult = { kind: 'merged'; sha: string } | { kind: 'empty' } | { kind: 'conflict'; paths: string[] };

/**
 * Puts the change of `ours` on top of `tip`, where somebody pushed meanwhile: a three-way merge of the two, committed with `tip` as its
 * only parent. Deterministic. `empty`: the tip holds all of it already, also when it was pushed and somebody went on from it. Throws
 * `WorkspaceRefusal` with `protected_paths` as a commit does.
 */
export async function mergeOnto({
  git,
  gitDir,
  ours,
  tip,
  mergedBase,
  rules,
  signal,
  ...details
}: InRepository &
  CommitDetails & {
    ours: string;
    tip: string;
    /** The base, where `ours` is a merge of it: it becomes the second parent again, and what it brings may be anything. */
    mergedBase?: string | undefined;
    rules?: WriteRules | undefined;
  }): Promise<MergeResult> {
  const options = { git, gitDir, signal };
  // Without a common ancestor (somebody replaced the branch) there is nothing to merge by: every file of ours is in question.
  if (!(await areRelated({ ...options, commits: [tip, ours] }))) {
    return { kind: 'conflict', paths: await listChangedPaths({ ...options, from: `${ours}^`, to: ours }) };
  }
  const { tree, stages } = await mergeTrees({ ...options, ours: tip, theirs: ours });
  if (stages.length > 0) {
    const paths = stages.map(({ path }) => stripSide(path, { tip, base: ours }));
    return { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
  }
  // Whoever pushed may have merged the base as well.
  const isMerge = mergedBase !== undefined && !(await isContained({ ...options, sha: mergedBase, tip }));
  if (!isMerge && tree === (await readTreeSha({ ...options, sha: tip }))) {
    return { kind: 'empty' };
  }
  const from = isMerge ? (await mergeTrees({ ...options, ours: tip, theirs: mergedBase })).tree : tip;
  await requireAllowedChanges({ ...options, from, to: tree, rules });
  const parents = isMerge ? [tip, mergedBase] : [tip];
  return { kind: 'merged', sha: await writeCommit({ ...options, tree, parents, details }) };
}
