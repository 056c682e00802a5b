import { isContained } from '../../git/commits.ts';
import type { InRepository } from '../../git/git.ts';
import { stripSide } from './conflicts.ts';
import { areRelated, mergeTrees } from './merge-trees.ts';

interface TipAndBase extends InRepository {
  tip: string;
  base: string;
}

type MergeOutlook =
  | { kind: 'contained' }
  | { kind: 'clean' }
  /** In path order, with paths that one side removed or moved. */
  | { kind: 'conflict'; paths: string[] }
  | { kind: 'unrelated' };

/** Predicts a merge of the base into the branch. Changes nothing. */
export async function findMergeConflicts({ git, gitDir, tip, base, signal }: TipAndBase): Promise<MergeOutlook> {
  if (await isContained({ git, gitDir, sha: base, tip, signal })) return { kind: 'contained' };
  if (!(await areRelated({ git, gitDir, commits: [tip, base], signal }))) return { kind: 'unrelated' };
  const { stages } = await mergeTrees({ git, gitDir, ours: tip, theirs: base, signal });
  const paths = stages.map(({ path }) => stripSide(path, { tip, base }));
  return paths.length === 0 ? { kind: 'clean' } : { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
}

/**
 * Whether merging the base would add a commit that touches a workflow. GitHub rejects such a push by an App without the `workflows`
 * permission, even if the commit is already in the repository.
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps, https://github.com/chdsbd/kodiak/issues/853
 */
export async function carriesWorkflows({ git, gitDir, tip, base, signal }: TipAndBase): Promise<boolean> {
  // --full-history includes changes that were reverted before their branch was merged.
  const args = ['rev-list', '--full-history', '-1', base, `^${tip}`, '--', '.github/workflows'];
  const { stdout } = await git(args, { signal, gitDir });
  return stdout.length > 0;
}
