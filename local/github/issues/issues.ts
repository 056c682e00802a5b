import { presentConversation, presentLabels } from '../json/present-pull-request.ts';
import { nextNumber } from '../pulls/find-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { Issue } from '../state/conversations.ts';
import type { Repository } from '../state/world.ts';

export function openIssue(
  repository: Repository,
  { title, body = '' }: { title: string; body?: string },
  author: Account,
): Issue {
  const createdAt = repository.world.timestamp();
  const issue: Issue = {
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
  announce(repository, issue, { action: 'opened', sender: author });
  return issue;
}

/** A label that the issue has already changes nothing. */
export function labelIssue(
  repository: Repository,
  { issue, name }: { issue: Issue; name: string },
  sender: Account,
): void {
  if (issue.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) return;
  issue.labels.push({ id: repository.world.nextId(), name });
  issue.updatedAt = repository.world.timestamp();
  const label = presentLabels(repository, issue).at(-1);
  announce(repository, issue, { action: 'labeled', sender, extra: { label } });
}

function announce(
  repository: Repository,
  issue: Issue,
  { action, sender, extra = {} }: { action: string; sender: Account; extra?: Record<string, unknown> },
): void {
  const payload = { issue: presentConversation(repository, issue), ...extra };
  repository.world.send({ name: 'issues', action, repository, sender, payload });
}
