import { applyPullRequest, type PullRequestState, readPullRequestState } from '../apply-pull-request.ts';
import { type DeliveryContext, type EventHandler, ignoredBecause } from '../delivery-context.ts';
import { findJobPullRequest, type JobPullRequest } from '../find-job-pull-request.ts';

/** Applies the delivered state by its `updated_at`. Asks GitHub for the current state if the last one applied is of the same second. */
export const pullRequestChanged: EventHandler = async (context) => {
  const { github, fields, signal } = context;
  const { repository, pull_request: payload, sender, action } = fields;
  if (!repository || !payload) return 'the delivery has no pull request';
  const pullRequest = await findJobPullRequest(context);
  if (!pullRequest) return ignoredBecause.noJob;

  const isSentByUs = sender?.type === 'Bot' && sender.login === (await github.fetchBotLogin(signal));
  const { state, merged } = payload;
  const updatedAt = new Date(payload.updated_at);
  const isReopened = action === 'reopened' && !isSentByUs;
  const isTie = pullRequest.job.pull_request_updated_at?.getTime() === updatedAt.getTime();
  // An edit's sender need not have closed the pull request.
  const isCloserUnknown = state === 'closed' && !merged && action !== 'closed';
  const current = isTie || isCloserUnknown ? await fetchState(context, pullRequest) : undefined;
  const delivered = { state, merged, base: payload.base.ref, updatedAt, isClosedByUs: isSentByUs };
  return (store) => applyPullRequest(store, pullRequest.job, { ...(current ?? delivered), isReopened });
};

async function fetchState(
  context: DeliveryContext,
  { project, number }: JobPullRequest,
): Promise<PullRequestState | undefined> {
  await using access = await context.openProject(project, { pull_requests: 'read' }, context.signal);
  const pullRequest = await access.client.fetchPullRequest(number);
  return pullRequest && (await readPullRequestState(context, project, pullRequest, context.signal));
}
