import { presentPullRequest } from '../json/present-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest } from '../state/world.ts';

export async function announcePullRequest(
  pullRequest: PullRequest,
  event: { action: string; sender: Account; extra?: Record<string, unknown> },
): Promise<void> {
  const { repository } = pullRequest;
  const shown = await presentPullRequest(pullRequest);
  repository.world.send({
    name: 'pull_request',
    action: event.action,
    repository,
    sender: event.sender,
    payload: { number: pullRequest.number, pull_request: shown, ...event.extra },
  });
}
