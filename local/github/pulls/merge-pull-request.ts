import { ApiError } from '../api/api-error.ts';
import { announceRefUpdate } from '../git/announce-ref-update.ts';
import { commitTree, findMergedTree, moveRef } from '../git/merge-commits.ts';
import { noreplyOf } from '../git/noreply.ts';
import { findBranch } from '../git/read-git.ts';
import type { Account } from '../state/account.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { PullRequest } from '../state/world.ts';
import { markMerged } from './close-pull-request.ts';

/** Merges into the base as the button on the page does; 405 when it cannot be merged, 409 when the base moved meanwhile. */
export async function mergePullRequest(
  pullRequest: PullRequest,
  { mergedBy, method = 'merge' }: { mergedBy: Account; method?: 'merge' | 'squash' },
): Promise<string> {
  const { repository } = pullRequest;
  if (pullRequest.state === 'closed') throw new ApiError(405, 'Pull Request is not mergeable');
  if (pullRequest.draft) throw new ApiError(405, 'Pull Request is still a draft');
  const { directory } = repository;
  const { headSha, headRef, baseRef } = pullRequest;
  const base = await findBranch(directory, baseRef);
  const tree = base && (await findMergedTree(directory, base, headSha));
  if (!base || !tree) throw new ApiError(405, 'Pull Request has merge conflicts');
  const sha = await commitTree(directory, {
    tree,
    parents: method === 'merge' ? [base, headSha] : [base],
    message:
      method === 'merge'
        ? `Merge pull request #${pullRequest.number} from ${fullNameOf(repository).split('/')[0]}/${headRef}\n\n${pullRequest.title}\n`
        : `${pullRequest.title} (#${pullRequest.number})\n`,
    author: noreplyOf(mergedBy),
    date: repository.world.clock(),
  });
  try {
    await moveRef(directory, `refs/heads/${baseRef}`, sha, base);
  } catch {
    throw new ApiError(409, 'Base branch was modified. Review and try the merge again.');
  }
  repository.signedCommits.add(sha);
  await markMerged(pullRequest, { mergeCommitSha: sha, mergedBy });
  await announceRefUpdate(repository, { ref: `refs/heads/${baseRef}`, before: base, after: sha }, mergedBy);
  return sha;
}
