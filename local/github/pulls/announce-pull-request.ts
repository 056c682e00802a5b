import { presentPullRequest } from '../json/present-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest } from '../state/conversations.ts';
import type { Repository, World } from '../state/world.ts';

export async function announcePullRequest(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
  event: { action: string; sender: Account; extra?: Record<string, unknown> },
): Promise<void> {
  const shown = await presentPullRequest(world, repository, pullRequest);
  world.send({
    name: 'pull_request',
    action: event.action,
    repository,
    sender: event.sender,
    payload: { number: pullRequest.number, pull_request: shown, ...event.extra },
  });
}
