import { notFound } from '../api/api-error.ts';
import type { PullRequest, Repository } from '../state/world.ts';

/** Throws 404 when there is none. */
export function findPullRequest(repository: Repository, number: number): PullRequest {
  const pullRequest = repository.pullRequests.find((candidate) => candidate.number === number);
  if (!pullRequest) throw notFound();
  return pullRequest;
}

export const findOpenPullRequest = (repository: Repository, head: string, base: string): PullRequest | undefined =>
  repository.pullRequests.find(
    ({ state, headRef, baseRef }) => state === 'open' && headRef === head && baseRef === base,
  );
