import { notFound } from '../api/api-error.ts';
import type { Conversation, PullRequest, Repository } from '../state/world.ts';

/** Throws 404 when there is none. */
export function findPullRequest(repository: Repository, number: number): PullRequest {
  const pullRequest = repository.pullRequests.find((candidate) => candidate.number === number);
  if (!pullRequest) throw notFound();
  return pullRequest;
}

/** An issue or a pull request. Throws 404 when there is none. */
export function findConversation(repository: Repository, number: number): Conversation {
  const issue = repository.issues.find((candidate) => candidate.number === number);
  return issue ?? findPullRequest(repository, number);
}

/** Issues and pull requests share one counter. */
export const nextNumber = ({ pullRequests, issues }: Repository): number => pullRequests.length + issues.length + 1;

export const findOpenPullRequest = (repository: Repository, head: string, base: string): PullRequest | undefined =>
  repository.pullRequests.find(
    ({ state, headRef, baseRef }) => state === 'open' && headRef === head && baseRef === base,
  );
