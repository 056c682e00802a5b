import { isContained } from '../../git/commits.ts';
import type { InRepository } from '../../git/git.ts';
import { stripSide } from './conflicts.ts';
import { areRelated, mergeTrees } from './merge-trees.ts';

interface TipAndBase extends InRepository {
  tip: string;
  base: string;
}

export type MergeOutlook =
  /** The branch has all of the base already. */
  | { kind: 'contained' }
  | { kind: 'clean' }
  /** In path order; also what only one of the two has, where the other removed or moved it. */
  | { kind: 'conflict'; paths: string[] }
  /** The two have no common ancestor. */
  | { kind: 'unrelated' };

/** What would come of merging the base into the branch. Changes nothing. */
export async function findMergeConflicts({ git, gitDir, tip, base, signal }: TipAndBase): Promise<MergeOutlook> {
  if (await isContained({ git, gitDir, sha: base, tip, signal })) {
    return { kind: 'contained' };
  }
  if (!(await areRelated({ git, gitDir, commits: [tip, base], signal }))) {
    return { kind: 'unrelated' };
  }
  const { stages } = await mergeTrees({ git, gitDir, ours: tip, theirs: base, signal });
  const paths = stages.map(({ path }) => stripSide(path, { tip, base }));
  return paths.length === 0 ? { kind: 'clean' } : { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
}

/**
 * Whether merging the base into the branch would bring a commit along that touches a workflow. GitHub refuses to take such a push from an
 * App without the `workflows` permission, also when the commit is in the repository already.
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps, https://github.com/chdsbd/kodiak/issues/853
 */
export async function carriesWorkflows({ git, gitDir, tip, base, signal }: TipAndBase): Promise<boolean> {
  // Without --full-history, a change that was taken back before its branch was merged would not be seen.
  const args = ['rev-list', '--full-history', '-1', base, `^${tip}`, '--', '.github/workflows'];
  const { stdout } = await git(args, { signal, gitDir });
  return stdout.length > 0;
}
