import { validationFailed } from '../api/api-error.ts';
import { countCommits, findBranch } from '../git/read-git.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest } from '../state/world.ts';
import { announcePullRequest } from './announce-pull-request.ts';
import { closePullRequest, reopenPullRequest } from './close-pull-request.ts';
import { findOpenPullRequest } from './find-pull-request.ts';
import { refuseBadTitle, refuseLongBody } from './limits.ts';

export interface PullRequestEdit {
  title?: string | undefined;
  body?: string | null | undefined;
  state?: 'open' | 'closed' | undefined;
  base?: string | undefined;
  maintainerCanModify?: boolean | undefined;
}

/** Validates every change, then applies all. https://docs.github.com/en/rest/pulls/pulls#update-a-pull-request */
export async function editPullRequest(pullRequest: PullRequest, edit: PullRequestEdit, sender: Account): Promise<void> {
  if (edit.title !== undefined) refuseBadTitle(edit.title);
  if (edit.body !== undefined) refuseLongBody(edit.body);
  const newBase = edit.base === pullRequest.baseRef ? undefined : edit.base;
  const baseSha = newBase === undefined ? undefined : await checkBase(pullRequest, newBase);
  const changes: Record<string, unknown> = {};
  if (edit.title !== undefined && edit.title !== pullRequest.title) {
    changes.title = { from: pullRequest.title };
    pullRequest.title = edit.title;
  }
  if (edit.body !== undefined && (edit.body || null) !== pullRequest.body) {
    changes.body = { from: pullRequest.body ?? '' };
    pullRequest.body = edit.body || null;
  }
  if (newBase !== undefined && baseSha !== undefined) {
    changes.base = { ref: { from: pullRequest.baseRef }, sha: { from: pullRequest.baseSha } };
    pullRequest.baseRef = newBase;
    pullRequest.baseSha = baseSha;
  }
  pullRequest.maintainerCanModify = edit.maintainerCanModify ?? pullRequest.maintainerCanModify;
  if (Object.keys(changes).length > 0) {
    pullRequest.updatedAt = pullRequest.repository.world.timestamp();
    await announcePullRequest(pullRequest, { action: 'edited', sender, extra: { changes } });
  }
  if (edit.state === 'closed') await closePullRequest(pullRequest, sender);
  if (edit.state === 'open') await reopenPullRequest(pullRequest, sender);
}

async function checkBase(pullRequest: PullRequest, base: string): Promise<string> {
  const { repository } = pullRequest;
  const invalid = { resource: 'PullRequest', field: 'base', code: 'invalid' };
  if (pullRequest.state === 'closed') {
    throw validationFailed({ ...invalid, message: 'Cannot change the base branch of a closed pull request.' });
  }
  const baseSha = await findBranch(repository.directory, base);
  if (!baseSha) throw validationFailed(invalid);
  const { owner, directory } = repository;
  if (findOpenPullRequest(repository, pullRequest.headRef, base)) {
    const message = `A pull request already exists for base branch '${base}' and head branch '${owner.login}:${pullRequest.headRef}'`;
    throw validationFailed({ ...invalid, message });
  }
  if ((await countCommits(directory, baseSha, pullRequest.headSha)) === 0) {
    const message = `There are no new commits between base branch '${base}' and head branch '${pullRequest.headRef}'`;
    throw validationFailed({ ...invalid, message });
  }
  return baseSha;
}
