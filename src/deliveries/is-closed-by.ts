import type { PullRequest } from '../github/pull-request.ts';
import type { RepositoryClient } from '../github/repository-client.ts';

/** Whether it was this account that closed the pull request, without merging it. GitHub is asked only where that may be. */
export async function isClosedBy(
  login: string,
  { client, pullRequest }: { client: RepositoryClient; pullRequest: PullRequest },
): Promise<boolean> {
  const { number, state, merged } = pullRequest;
  return state === 'closed' && !merged && (await client.fetchCloser(number)) === login;
}
