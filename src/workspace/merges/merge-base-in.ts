import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InRepository } from '../../git/git.ts';
import { writeCommit, writeEntries } from '../../git/write-commit.ts';
import { createWriteJudge, type WriteRules } from '../policy/write-rules.ts';
import type { MergeConflict } from './merge-conflict.ts';
import { mergeTrees } from './merge-trees.ts';
import { settleConflicts } from './settle-conflicts.ts';

const nobody = { name: 'pagewright', email: 'pagewright@localhost' };
/** All of it fixed: whoever merges the same two commits makes the same third. */
const details = { message: 'Merge the base', author: nobody, committer: nobody, date: new Date(0) };

/**
 * Merges the base into the branch for a workspace to be opened on: a commit with the parents `tip` and `base` that is not for publishing,
 * because its files hold conflict markers where the two changed the same lines (`<<<<<<< branch`, `>>>>>>> base`). Elsewhere it
 * holds one version, and the conflict's note says which. Deterministic. The two have a common ancestor: see `findMergeConflicts`.
 */
export async function mergeBaseIn({
  git,
  gitDir,
  tip,
  base,
  rules,
  signal,
}: InRepository & {
  tip: string;
  base: string;
  /** Those of the workspace, so that it is known which conflicts the agent may solve. */
  rules?: WriteRules | undefined;
}): Promise<{ sha: string; conflicts: MergeConflict[] }> {
  const merged = await mergeTrees({ git, gitDir, ours: tip, theirs: base, signal });
  const commit = (tree: string) => writeCommit({ git, gitDir, tree, parents: [tip, base], details, signal });
  if (merged.stages.length === 0) {
    return { sha: await commit(merged.tree), conflicts: [] };
  }
  const judge = createWriteJudge(rules);
  const { conflicts, entries } = await settleConflicts({ git, gitDir, merged, tip, base, judge, signal });
  const scratch = await mkdtemp(join(gitDir, 'pagewright-merge-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));
  const indexFile = join(scratch, 'index');
  const tree = await writeEntries({ git, gitDir, sha: merged.tree, entries, indexFile, signal });
  return { sha: await commit(tree), conflicts };
}
