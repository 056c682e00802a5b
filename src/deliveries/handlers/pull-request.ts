import { applyPullRequest, type PullRequestState } from '../apply-pull-request.ts';
import type { DeliveryParts, EventHandler } from '../event-handler.ts';
import { findOwnPullRequest, type OwnPullRequest } from '../find-job-pull-request.ts';
import { isClosedByUs } from '../is-closed-by-us.ts';

/**
 * Merged, closed, reopened, or with another target: the job follows. Applies only when GitHub's `updated_at` is newer than
 * what was applied last; at a tie, which whole seconds allow, GitHub is asked how it is now.
 */
export const pullRequestChanged: EventHandler = async (parts, { fields, signal }) => {
  const { repository, pull_request: told, sender, action } = fields;
  if (!repository || !told) return 'the delivery names no pull request';
  const { number } = told;
  const own = await findOwnPullRequest(parts, { repositoryId: repository.id, number, head: told.head }, signal);
  if (!own) return 'not one of our pull requests';

  const isSentByUs = sender?.type === 'Bot' && sender.login === (await parts.github.fetchBotLogin(signal));
  const updatedAt = new Date(told.updated_at);
  const isTie = own.job.pull_request_updated_at?.getTime() === updatedAt.getTime();
  // An edit of a closed pull request comes from whoever edits it, who need not have closed it.
  const isCloserUnknown = told.state === 'closed' && !told.merged && action !== 'closed';
  const now = isTie || isCloserUnknown ? await fetchState(parts, own, { number, signal }) : undefined;
  const state: PullRequestState = {
    ...(now ?? { state: told.state, merged: told.merged, base: told.base.ref, updatedAt, isClosedByUs: isSentByUs }),
    isReopened: action === 'reopened' && !isSentByUs,
  };
  return (store) => applyPullRequest(store, own.job, state);
};

async function fetchState(
  parts: DeliveryParts,
  { project }: OwnPullRequest,
  { number, signal }: { number: number; signal: AbortSignal },
): Promise<Omit<PullRequestState, 'isReopened'> | undefined> {
  const permissions = { pull_requests: 'read' } as const;
  await using access = await parts.openProject(project, permissions, signal);
  const now = await access.client.fetchPullRequest(number);
  return now && { ...now, isClosedByUs: await isClosedByUs(parts, project, now, signal) };
}
