import { isContained } from '../../git/commits.ts';
import { listChangedPaths } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { type CommitDetails, readTreeSha, writeCommit } from '../../git/write-commit.ts';
import { requireAllowedChanges } from '../../policy/require-allowed-changes.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import { areRelated, mergeTrees, stripSide } from './find-merge-conflicts.ts';

type MergeResult = { kind: 'merged'; sha: string } | { kind: 'empty' } | { kind: 'conflict'; paths: string[] };

/** Deterministic. `empty`: the tip already contains the change. Throws `WorkspaceRefusal` with `protected_paths`. */
export async function mergeOnto(
  request: InRepository &
    CommitDetails & {
      ours: string;
      tip: string;
      /** The base, if `ours` merges it: it becomes the second parent, and its changes are not checked. */
      mergedBase?: string | undefined;
      rules?: WriteRules | undefined;
    },
): Promise<MergeResult> {
  const { git, gitDir, signal, ours, tip, mergedBase, rules, ...details } = request;
  const at = { git, gitDir, signal };
  // Without a common ancestor (the branch was replaced) no merge is possible: every changed file conflicts.
  if (!(await areRelated(at, [tip, ours])))
    return { kind: 'conflict', paths: await listChangedPaths({ ...at, from: `${ours}^`, to: ours }) };
  const { tree, stages } = await mergeTrees({ ...at, ours: tip, theirs: ours });
  if (stages.length > 0) {
    const paths = stages.map(({ path }) => stripSide(path, { tip, base: ours }));
    return { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
  }
  // The new tip may already contain the base.
  const isMerge = mergedBase !== undefined && !(await isContained({ ...at, sha: mergedBase, tip }));
  if (!isMerge && tree === (await readTreeSha({ ...at, sha: tip }))) return { kind: 'empty' };
  const from = isMerge ? (await mergeTrees({ ...at, ours: tip, theirs: mergedBase })).tree : tip;
  await requireAllowedChanges({ ...at, from, to: tree, rules });
  const parents = isMerge ? [tip, mergedBase] : [tip];
  return { kind: 'merged', sha: await writeCommit({ ...at, tree, parents, details }) };
}
