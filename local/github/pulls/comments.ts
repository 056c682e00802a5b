import { ApiError, notFound } from '../api/api-error.ts';
import { presentComment } from '../json/present-comment.ts';
import { presentConversation } from '../json/present-pull-request.ts';
import type { Account } from '../state/account.ts';
import { isAtLeast, roleOf } from '../state/repositories.ts';
import type { Comment, Conversation, Repository } from '../state/world.ts';
import { refuseBadComment } from './limits.ts';

export interface FoundComment {
  conversation: Conversation;
  comment: Comment;
}

export function findComment(repository: Repository, commentId: number): FoundComment {
  for (const conversation of [...repository.pullRequests, ...repository.issues]) {
    const comment = conversation.comments.find(({ id }) => id === commentId);
    if (comment) return { conversation, comment };
  }
  throw notFound();
}

/** Every call creates a comment, as on GitHub. */
export function createComment(
  conversation: Conversation,
  { body, author }: { body: string; author: Account },
): Comment {
  const { world } = conversation.repository;
  refuseLocked(conversation, author);
  refuseBadComment(body, 'IssueComment');
  const createdAt = world.timestamp();
  const byApp = author.id === world.app?.bot.id;
  const comment: Comment = { id: world.nextId(), body, author, byApp, createdAt, updatedAt: createdAt, reactions: [] };
  conversation.comments.push(comment);
  conversation.updatedAt = createdAt;
  announce({ conversation, comment }, 'created', author);
  return comment;
}

export function editComment(found: FoundComment, body: string, sender: Account): void {
  refuseBadComment(body, 'IssueComment');
  const from = found.comment.body;
  Object.assign(found.comment, { body, updatedAt: found.conversation.repository.world.timestamp() });
  announce(found, 'edited', sender, { changes: { body: { from } } });
}

export function deleteComment(found: FoundComment, sender: Account): void {
  const { conversation, comment } = found;
  conversation.comments.splice(conversation.comments.indexOf(comment), 1);
  announce(found, 'deleted', sender);
}

/** Only people with write access comment in a locked conversation. */
export function refuseLocked(conversation: Conversation, author: Account): void {
  if (!conversation.locked || isAtLeast(roleOf(conversation.repository, author), 'write')) return;
  throw new ApiError(403, 'Unable to create comment because issue is locked.');
}

function announce(
  { conversation, comment }: FoundComment,
  action: string,
  sender: Account,
  extra: Record<string, unknown> = {},
): void {
  const { repository } = conversation;
  repository.world.send({
    name: 'issue_comment',
    action,
    repository,
    sender,
    payload: {
      ...extra,
      issue: presentConversation(conversation),
      comment: presentComment(conversation, comment),
    },
  });
}
