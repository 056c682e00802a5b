import { countChanges } from '../git/diff-commits.ts';
import { findMergedTree } from '../git/merge-commits.ts';
import { countCommits, findMergeBase } from '../git/read-git.ts';
import type { Account } from '../state/account.ts';
import { findInstallationOf } from '../state/installations.ts';
import type { Conversation, PullRequest, Repository } from '../state/world.ts';
import { apiUrlOf, nodeId, presentAccount, presentApp, presentRepository, webUrlOf } from './present.ts';

export const pullRequestUrl = (pullRequest: PullRequest): string =>
  `${webUrlOf(pullRequest.repository)}/pull/${pullRequest.number}`;

const isPullRequest = (conversation: Conversation): conversation is PullRequest => 'headRef' in conversation;

export const conversationUrl = (conversation: Conversation): string =>
  `${webUrlOf(conversation.repository)}/${isPullRequest(conversation) ? 'pull' : 'issues'}/${conversation.number}`;

/** A pull request as lists and review events show it: without `merged` and without counts. */
export function presentSimplePullRequest(pullRequest: PullRequest) {
  const { repository } = pullRequest;
  const { world } = repository;
  const url = `${apiUrlOf(repository)}/pulls/${pullRequest.number}`;
  const issueUrl = `${apiUrlOf(repository)}/issues/${pullRequest.number}`;
  const htmlUrl = pullRequestUrl(pullRequest);
  const end = (ref: string, sha: string, { id, owner }: Pick<Repository, 'id' | 'owner'>) => ({
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: presentAccount(world, owner),
    repo: presentRepository({ ...repository, id, owner }),
  });
  return {
    url,
    id: pullRequest.id,
    node_id: nodeId('PR', pullRequest.id),
    html_url: htmlUrl,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    issue_url: issueUrl,
    number: pullRequest.number,
    state: pullRequest.state,
    locked: pullRequest.locked,
    title: pullRequest.title,
    user: presentAccount(world, pullRequest.author),
    body: pullRequest.body,
    created_at: pullRequest.createdAt,
    updated_at: pullRequest.updatedAt,
    closed_at: pullRequest.closedAt,
    merged_at: pullRequest.mergedAt,
    merge_commit_sha: pullRequest.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: pullRequest.requestedReviewers.map((account) => presentAccount(world, account)),
    requested_teams: [],
    labels: presentLabels(pullRequest),
    milestone: null,
    draft: pullRequest.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${apiUrlOf(repository)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: `${apiUrlOf(repository)}/statuses/${pullRequest.headSha}`,
    head: end(pullRequest.headRef, pullRequest.headSha, pullRequest.fork ?? repository),
    base: end(pullRequest.baseRef, pullRequest.baseSha, repository),
    _links: {
      self: { href: url },
      html: { href: htmlUrl },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${apiUrlOf(repository)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: `${apiUrlOf(repository)}/statuses/${pullRequest.headSha}` },
    },
    author_association: associationOf(repository, pullRequest.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** A pull request as `GET pulls/{number}` and pull_request events show it. */
export async function presentPullRequest(pullRequest: PullRequest) {
  const { directory } = pullRequest.repository;
  const { headSha, baseSha } = pullRequest;
  const mergeBase = (await findMergeBase(directory, baseSha, headSha)) ?? baseSha;
  const isOpen = pullRequest.state === 'open';
  const [changes, commits, tree] = await Promise.all([
    countChanges(directory, mergeBase, headSha),
    countCommits(directory, mergeBase, headSha),
    isOpen ? findMergedTree(directory, baseSha, headSha) : undefined,
  ]);
  return {
    ...presentSimplePullRequest(pullRequest),
    merged: pullRequest.mergedAt !== null,
    mergeable: isOpen ? tree !== undefined : null,
    rebaseable: isOpen ? tree !== undefined : null,
    mergeable_state: !isOpen ? 'unknown' : pullRequest.draft ? 'draft' : tree === undefined ? 'dirty' : 'clean',
    merged_by: pullRequest.mergedBy ? presentAccount(pullRequest.repository.world, pullRequest.mergedBy) : null,
    comments: pullRequest.comments.length,
    review_comments: pullRequest.reviewComments.length,
    maintainer_can_modify: pullRequest.maintainerCanModify,
    commits,
    additions: changes.additions,
    deletions: changes.deletions,
    changed_files: changes.changedFiles,
  };
}

/** An issue, or a pull request as one, for comment events and issue routes. */
export function presentConversation(conversation: Conversation) {
  const { repository } = conversation;
  const { number, id, author } = conversation;
  const url = `${apiUrlOf(repository)}/issues/${number}`;
  const htmlUrl = conversationUrl(conversation);
  const isPull = isPullRequest(conversation);
  return {
    url,
    repository_url: apiUrlOf(repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: htmlUrl,
    id,
    node_id: nodeId(isPull ? 'PR' : 'I', id),
    number,
    title: conversation.title,
    user: presentAccount(repository.world, author),
    labels: presentLabels(conversation),
    state: conversation.state,
    locked: conversation.locked,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: conversation.comments.length,
    created_at: conversation.createdAt,
    updated_at: conversation.updatedAt,
    closed_at: conversation.closedAt,
    author_association: associationOf(repository, author),
    active_lock_reason: null,
    ...(isPull && {
      draft: conversation.draft,
      pull_request: {
        url: `${apiUrlOf(repository)}/pulls/${number}`,
        html_url: htmlUrl,
        diff_url: `${htmlUrl}.diff`,
        patch_url: `${htmlUrl}.patch`,
        merged_at: conversation.mergedAt,
      },
    }),
    body: conversation.body,
    reactions: summarizeReactions(`${url}/reactions`, conversation.reactions),
    performed_via_github_app: viaApp(repository, author),
    state_reason: null,
  };
}

export const presentLabels = ({ repository, labels }: Conversation) =>
  labels.map(({ id, name }) => ({
    id,
    node_id: nodeId('LA', id),
    url: `${apiUrlOf(repository)}/labels/${encodeURIComponent(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: null,
  }));

/** As public data shows it: private members of an organization look like strangers. */
export function associationOf(repository: Repository, account: Account) {
  if (account.id === repository.owner.id) return 'OWNER';
  if (account.type === 'Bot') return 'NONE';
  return repository.roles.has(account.login.toLowerCase()) ? 'COLLABORATOR' : 'NONE';
}

export function viaApp(repository: Repository, author: Account) {
  const { app } = repository.world;
  if (!app || author.id !== app.bot.id) return null;
  const permissions = findInstallationOf(repository)?.permissions ?? {};
  return { ...presentApp(repository.world, app), permissions, events: app.events };
}

export function summarizeReactions(url: string, reactions: { content: string }[]) {
  const count = (content: string) => reactions.filter((reaction) => reaction.content === content).length;
  return {
    url,
    total_count: reactions.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    hooray: count('hooray'),
    confused: count('confused'),
    heart: count('heart'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  };
}
