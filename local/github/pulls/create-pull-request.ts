import { ApiError, validationFailed } from '../api/api-error.ts';
import { countCommits, findBranch } from '../git/read-git.ts';
import { runGit } from '../git/run-git.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest, Repository } from '../state/world.ts';
import { announcePullRequest } from './announce-pull-request.ts';
import { findOpenPullRequest, nextNumber } from './find-pull-request.ts';
import { refuseBadTitle, refuseLongBody } from './limits.ts';

/** Opens a pull request whose commit is in a fork: no branch of this repository has it. */
export async function openFromFork(
  repository: Repository,
  { title, base, sha }: { title: string; base: string; sha: string },
  author: Account,
): Promise<PullRequest> {
  const ref = `forked-${repository.world.nextId()}`;
  await runGit(repository.directory, ['update-ref', `refs/heads/${ref}`, sha]);
  const opened = { title, head: ref, base, fork: { id: repository.world.nextId(), owner: author } };
  const pullRequest = await createPullRequest(repository, opened, author);
  await runGit(repository.directory, ['update-ref', '-d', `refs/heads/${ref}`]);
  return pullRequest;
}

export interface NewPullRequest {
  title: string;
  /** A branch, or `owner:branch`. */
  head: string;
  base: string;
  body?: string | null | undefined;
  draft?: boolean | undefined;
  maintainerCanModify?: boolean | undefined;
  fork?: NonNullable<PullRequest['fork']>;
}

/**
 * Opens a pull request or refuses it as github.com does: 422 for no title, a missing branch, one that exists, no commits.
 * https://docs.github.com/en/rest/pulls/pulls#create-a-pull-request
 */
export async function createPullRequest(
  repository: Repository,
  request: NewPullRequest,
  author: Account,
): Promise<PullRequest> {
  const { directory, owner } = repository;
  refuseBadTitle(request.title);
  refuseLongBody(request.body ?? null);
  const [headOwner, headRef] = request.head.includes(':') ? splitHead(request.head) : [owner.login, request.head];
  const headSha = await findBranch(directory, headRef);
  const baseSha = await findBranch(directory, request.base);
  const missing = [
    ...(baseSha ? [] : ['base']),
    ...(headSha && headOwner.toLowerCase() === owner.login.toLowerCase() ? [] : ['head']),
  ];
  if (!headSha || !baseSha || missing.length > 0) {
    throw validationFailed(...missing.map((field) => ({ resource: 'PullRequest', field, code: 'invalid' })));
  }
  if (findOpenPullRequest(repository, headRef, request.base)) {
    throw refused(`A pull request already exists for ${owner.login}:${headRef}.`);
  }
  if ((await countCommits(directory, baseSha, headSha)) === 0) {
    throw refused(`No commits between ${request.base} and ${headRef}`);
  }
  if (request.draft && !repository.draftsSupported) {
    throw new ApiError(422, 'Draft pull requests are not supported in this repository.');
  }
  // A concurrent identical request may have come first.
  if (findOpenPullRequest(repository, headRef, request.base)) {
    throw refused(`A pull request already exists for ${owner.login}:${headRef}.`);
  }
  const createdAt = repository.world.timestamp();
  const pullRequest: PullRequest = {
    repository,
    id: repository.world.nextId(),
    number: nextNumber(repository),
    title: request.title,
    body: request.body || null,
    state: 'open',
    draft: request.draft ?? false,
    locked: false,
    author,
    ...(request.fork && { fork: request.fork }),
    headRef,
    headSha,
    baseRef: request.base,
    baseSha,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    closedBy: null,
    mergeCommitSha: null,
    maintainerCanModify: request.maintainerCanModify ?? false,
    labels: [],
    requestedReviewers: [],
    reactions: [],
    comments: [],
    reviews: [],
    reviewComments: [],
  };
  repository.pullRequests.push(pullRequest);
  await keepHead(pullRequest);
  await announcePullRequest(pullRequest, { action: 'opened', sender: author });
  return pullRequest;
}

/** GitHub keeps the commits of a pull request under this ref, also when its branch is gone. */
export async function keepHead(pullRequest: PullRequest): Promise<void> {
  await runGit(pullRequest.repository.directory, [
    'update-ref',
    `refs/pull/${pullRequest.number}/head`,
    pullRequest.headSha,
  ]);
}

const refused = (message: string) => validationFailed({ resource: 'PullRequest', code: 'custom', message });

function splitHead(head: string): [string, string] {
  const at = head.indexOf(':');
  return [head.slice(0, at), head.slice(at + 1)];
}
