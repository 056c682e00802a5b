import { z } from 'zod';
import { ApiError, validationFailed } from '../api/api-error.ts';
import { presentAccount } from '../json/present.ts';
import { presentLabels, presentSimplePullRequest } from '../json/present-pull-request.ts';
import { announcePullRequest } from '../pulls/announce-pull-request.ts';
import { findPullRequest } from '../pulls/find-pull-request.ts';
import type { Account } from '../state/account.ts';
import { findAccount } from '../state/accounts.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { Repository } from '../state/world.ts';
import { numberParam, ok, onRepository, parseBody, type Route } from './route.ts';

const labelsBody = z.object({ labels: z.array(z.string()).min(1) });
const reviewersBody = z.object({
  reviewers: z.array(z.string()).default([]),
  team_reviewers: z.array(z.string()).default([]),
});

/** Labels and requested reviewers. */
export const labelRoutes: Route[] = [
  onRepository.post('/issues/:number/labels', [{ issues: 'write' }, { pull_requests: 'write' }], async (call) => {
    const { world, repository, bot } = call;
    const pullRequest = findPullRequest(repository, numberParam(call, 'number'));
    for (const name of parseBody(labelsBody, call.body).labels) {
      if (name.trim() === '') throw validationFailed({ resource: 'Label', code: 'invalid', field: 'name' });
      if (pullRequest.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) continue;
      pullRequest.labels.push({ id: world.nextId(), name });
      pullRequest.updatedAt = world.timestamp();
      const extra = { label: presentLabels(pullRequest).at(-1) };
      await announcePullRequest(pullRequest, { action: 'labeled', sender: bot, extra });
    }
    return ok(presentLabels(pullRequest));
  }),
  onRepository.post('/pulls/:number/requested_reviewers', [{ pull_requests: 'write' }], async (call) => {
    const { world, repository, bot } = call;
    const pullRequest = findPullRequest(repository, numberParam(call, 'number'));
    const { reviewers, team_reviewers: teams } = parseBody(reviewersBody, call.body);
    const accounts = reviewers.map((login) => {
      const account = findAccount(world, login);
      if (account && account.id === pullRequest.author.id) {
        throw new ApiError(422, 'Review cannot be requested from pull request author.');
      }
      if (account && isCollaborator(repository, account)) return account;
      throw notCollaborator(fullNameOf(repository));
    });
    if (teams.length > 0) throw notCollaborator(fullNameOf(repository));
    for (const account of accounts) {
      if (pullRequest.requestedReviewers.some(({ id }) => id === account.id)) continue;
      pullRequest.requestedReviewers.push(account);
      pullRequest.updatedAt = world.timestamp();
      const extra = { requested_reviewer: presentAccount(world, account) };
      await announcePullRequest(pullRequest, { action: 'review_requested', sender: bot, extra });
    }
    return ok(presentSimplePullRequest(pullRequest), 201);
  }),
];

const isCollaborator = (repository: Repository, account: Account): boolean =>
  account.id === repository.owner.id || repository.roles.has(account.login.toLowerCase());

const notCollaborator = (fullName: string) =>
  new ApiError(
    422,
    `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${fullName} repository.`,
  );
