import { presentConversation, presentLabels } from '../json/present-pull-request.ts';
import { nextNumber } from '../pulls/find-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { Issue } from '../state/conversations.ts';
import type { Repository, World } from '../state/world.ts';

export function openIssue(
  world: World,
  repository: Repository,
  { title, body = '' }: { title: string; body?: string },
  author: Account,
): Issue {
  const createdAt = world.timestamp();
  const issue: Issue = {
    id: world.nextId(),
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
  announce(world, repository, issue, { action: 'opened', sender: author });
  return issue;
}

/** A label that the issue has already changes nothing. */
export function labelIssue(
  world: World,
  repository: Repository,
  { issue, name }: { issue: Issue; name: string },
  sender: Account,
): void {
  if (issue.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) return;
  issue.labels.push({ id: world.nextId(), name });
  issue.updatedAt = world.timestamp();
  const label = presentLabels(world, repository, issue).at(-1);
  announce(world, repository, issue, { action: 'labeled', sender, extra: { label } });
}

function announce(
  world: World,
  repository: Repository,
  issue: Issue,
  { action, sender, extra = {} }: { action: string; sender: Account; extra?: Record<string, unknown> },
): void {
  const payload = { issue: presentConversation(world, repository, issue), ...extra };
  world.send({ name: 'issues', action, repository, sender, payload });
}
