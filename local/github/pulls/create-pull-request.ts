import { ApiError, validationFailed } from '../api/api-error.ts';
import { countCommits, findBranch } from '../git/read-git.ts';
import { runGit } from '../git/run-git.ts';
import type { Account, PullRequest, Repository, World } from '../state/world.ts';
import { announcePullRequest } from './announce-pull-request.ts';
import { findOpenPullRequest } from './find-pull-request.ts';
import { refuseBadTitle, refuseLongBody } from './limits.ts';

export interface NewPullRequest {
  title: string;
  /** A branch, or `owner:branch`. */
  head: string;
  base: string;
  body?: string | null | undefined;
  draft?: boolean | undefined;
  maintainerCanModify?: boolean | undefined;
}

/**
 * Opens a pull request or refuses it as github.com does: 422 for no title, a missing branch, one that exists, no commits.
 * https://docs.github.com/en/rest/pulls/pulls#create-a-pull-request
 */
export async function createPullRequest(
  world: World,
  repository: Repository,
  wanted: NewPullRequest,
  author: Account,
): Promise<PullRequest> {
  const { directory, owner } = repository;
  refuseBadTitle(wanted.title);
  refuseLongBody(wanted.body ?? null);
  const [headOwner, headRef] = wanted.head.includes(':') ? splitHead(wanted.head) : [owner.login, wanted.head];
  const headSha = await findBranch(directory, headRef);
  const baseSha = await findBranch(directory, wanted.base);
  const missing = [
    ...(baseSha ? [] : ['base']),
    ...(headSha && headOwner.toLowerCase() === owner.login.toLowerCase() ? [] : ['head']),
  ];
  if (!headSha || !baseSha || missing.length > 0) {
    throw validationFailed(...missing.map((field) => ({ resource: 'PullRequest', field, code: 'invalid' })));
  }
  if (findOpenPullRequest(repository, headRef, wanted.base)) {
    throw refused(`A pull request already exists for ${owner.login}:${headRef}.`);
  }
  if ((await countCommits(directory, baseSha, headSha)) === 0) {
    throw refused(`No commits between ${wanted.base} and ${headRef}`);
  }
  if (wanted.draft && !repository.draftsSupported) {
    throw new ApiError(422, 'Draft pull requests are not supported in this repository.');
  }
  // git was asked meanwhile: an identical request may have been first.
  if (findOpenPullRequest(repository, headRef, wanted.base)) {
    throw refused(`A pull request already exists for ${owner.login}:${headRef}.`);
  }
  const createdAt = world.timestamp();
  const pullRequest: PullRequest = {
    id: world.nextId(),
    number: repository.pullRequests.length + 1,
    title: wanted.title,
    body: wanted.body || null,
    state: 'open',
    draft: wanted.draft ?? false,
    locked: false,
    author,
    headRef,
    headSha,
    baseRef: wanted.base,
    baseSha,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    closedBy: null,
    mergeCommitSha: null,
    maintainerCanModify: wanted.maintainerCanModify ?? false,
    labels: [],
    requestedReviewers: [],
    reactions: [],
    comments: [],
    reviews: [],
    reviewComments: [],
  };
  repository.pullRequests.push(pullRequest);
  await keepHead(repository, pullRequest);
  await announcePullRequest(world, repository, pullRequest, { action: 'opened', sender: author });
  return pullRequest;
}

/** GitHub keeps the commits of a pull request under this ref, also when its branch is gone. */
export async function keepHead(repository: Repository, pullRequest: PullRequest): Promise<void> {
  await runGit(repository.directory, ['update-ref', `refs/pull/${pullRequest.number}/head`, pullRequest.headSha]);
}

const refused = (message: string) => validationFailed({ resource: 'PullRequest', code: 'custom', message });

function splitHead(head: string): [string, string] {
  const at = head.indexOf(':');
  return [head.slice(0, at), head.slice(at + 1)];
}
