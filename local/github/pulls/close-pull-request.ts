import { validationFailed } from '../api/api-error.ts';
import { countCommits, findBranch, isAncestor } from '../git/read-git.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest } from '../state/world.ts';
import { announcePullRequest } from './announce-pull-request.ts';
import { keepHead } from './create-pull-request.ts';
import { findOpenPullRequest } from './find-pull-request.ts';

/** Closes without merging; closing again changes nothing and sends nothing. */
export async function closePullRequest(pullRequest: PullRequest, sender: Account): Promise<void> {
  if (pullRequest.state === 'closed') return;
  const closedAt = pullRequest.repository.world.timestamp();
  Object.assign(pullRequest, { state: 'closed', closedAt, closedBy: sender, updatedAt: closedAt });
  await announcePullRequest(pullRequest, { action: 'closed', sender });
}

/** Marks a pull request merged, because its commits are in its base now. */
export async function markMerged(
  pullRequest: PullRequest,
  { mergeCommitSha, mergedBy }: { mergeCommitSha: string; mergedBy: Account },
): Promise<void> {
  const mergedAt = pullRequest.repository.world.timestamp();
  Object.assign(pullRequest, {
    state: 'closed',
    closedAt: mergedAt,
    updatedAt: mergedAt,
    mergedAt,
    mergedBy,
    closedBy: mergedBy,
    mergeCommitSha,
  });
  await announcePullRequest(pullRequest, { action: 'closed', sender: mergedBy });
}

/**
 * Reopens, or refuses with 422 when merged, when the branch is gone or no longer grows from where the pull request was closed,
 * or when another one took its place: https://github.com/isaacs/github/issues/361
 */
export async function reopenPullRequest(pullRequest: PullRequest, sender: Account): Promise<void> {
  const { repository } = pullRequest;
  if (pullRequest.state === 'open') return;
  const { directory, owner } = repository;
  const { headRef, baseRef } = pullRequest;
  if (pullRequest.mergedAt) throw unchangeable('The pull request cannot be reopened because it was merged.');
  const tip = await findBranch(directory, headRef);
  if (!tip) throw unchangeable(`The ${headRef} branch has been deleted.`);
  const baseSha = await findBranch(directory, baseRef);
  if (!baseSha) throw unchangeable(`The ${baseRef} branch has been deleted.`);
  if (!(await isAncestor(directory, pullRequest.headSha, tip))) {
    throw unchangeable(`The ${headRef} branch was force-pushed or recreated.`);
  }
  if (findOpenPullRequest(repository, headRef, baseRef)) {
    throw unchangeable(`There is already an open pull request from ${owner.login}:${headRef} to ${baseRef}.`);
  }
  if ((await countCommits(directory, baseSha, tip)) === 0) {
    throw unchangeable(`There are no new commits on the ${owner.login}:${headRef} branch.`);
  }
  Object.assign(pullRequest, {
    state: 'open',
    closedAt: null,
    closedBy: null,
    mergeCommitSha: null,
    headSha: tip,
    baseSha,
    updatedAt: repository.world.timestamp(),
  });
  await keepHead(pullRequest);
  await announcePullRequest(pullRequest, { action: 'reopened', sender });
}

const unchangeable = (reason: string) =>
  validationFailed({
    resource: 'PullRequest',
    code: 'custom',
    field: 'state',
    message: `state cannot be changed. ${reason}`,
  });
