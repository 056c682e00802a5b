import { presentConversation, presentLabels } from '../json/present-pull-request.ts';
import { nextNumber } from '../pulls/find-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { Issue, Repository } from '../state/world.ts';

export function openIssue(
  repository: Repository,
  { title, body = '' }: { title: string; body?: string },
  author: Account,
): Issue {
  const createdAt = repository.world.timestamp();
  const issue: Issue = {
    repository,
    id: repository.world.nextId(),
    number: nextNumber(repository),
    title,
    body: body || null,
    state: 'open',
    locked: false,
    author,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    closedBy: null,
    labels: [],
    reactions: [],
    comments: [],
  };
  repository.issues.push(issue);
  announce(issue, { action: 'opened', sender: author });
  return issue;
}

/** A label that the issue has already changes nothing. */
export function labelIssue(issue: Issue, name: string, sender: Account): void {
  const { world } = issue.repository;
  if (issue.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) return;
  issue.labels.push({ id: world.nextId(), name });
  issue.updatedAt = world.timestamp();
  announce(issue, { action: 'labeled', sender, extra: { label: presentLabels(issue).at(-1) } });
}

function announce(
  issue: Issue,
  { action, sender, extra = {} }: { action: string; sender: Account; extra?: Record<string, unknown> },
): void {
  const { repository } = issue;
  const payload = { issue: presentConversation(issue), ...extra };
  repository.world.send({ name: 'issues', action, repository, sender, payload });
}
