import { validationFailed } from '../api/api-error.ts';
import { announceRefUpdate } from '../git/announce-ref-update.ts';
import { commitTree, findMergedTree, moveRef } from '../git/merge-commits.ts';
import { noreplyOf } from '../git/noreply.ts';
import { countCommits, findBranch } from '../git/read-git.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest, Repository } from '../state/world.ts';

/** Merges the base into the branch. 422 for another head, for conflicts, and where the branch has all of the base. */
export async function updateBranch(
  repository: Repository,
  { headRef, headSha, baseRef }: PullRequest,
  { expected = headSha, updatedBy }: { expected?: string | undefined; updatedBy: Account },
): Promise<void> {
  const { directory } = repository;
  const refuse = (message: string) =>
    validationFailed({ resource: 'PullRequest', code: 'custom', field: 'expected_head_sha', message });
  if (expected !== headSha) throw refuse(`expected head sha didn’t match current head ref.`);
  const base = await findBranch(directory, baseRef);
  if (!base || (await countCommits(directory, headSha, base)) === 0)
    throw refuse('There are no new commits on the base branch.');
  const tree = await findMergedTree(directory, headSha, base);
  if (!tree) throw refuse('merge conflict between base and head');
  const after = await commitTree(directory, {
    tree,
    parents: [headSha, base],
    message: `Merge branch '${baseRef}' into ${headRef}\n`,
    author: noreplyOf(updatedBy),
    date: repository.world.clock(),
  });
  const ref = `refs/heads/${headRef}`;
  await moveRef(directory, ref, after, headSha);
  await announceRefUpdate(repository, { ref, before: headSha, after }, updatedBy);
}
