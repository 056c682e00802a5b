import type { Comment } from '../../github/calls/comment-calls.ts';
import type { Conversation, NamedPullRequest } from '../../store/tables/columns.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import { storable } from '../../text/storable.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/** What somebody mentions the App on, as it is now. */
export interface ReadConversation {
  conversation: Conversation;
  /** The branch that a new job starts from; null: the repository's own. */
  base: string | null;
  /** The pull request, for the agent. */
  changes: readonly NamedPullRequest[];
}

interface Asked {
  project: Project;
  number: number;
  /** The comment that mentions the App: it is the instruction. */
  commentId: number | undefined;
}

const maxTitleLength = 300;
const maxTextLength = 20_000;

/** Undefined: the issue is gone. Throws where GitHub does not answer. */
export async function readIssue(context: DeliveryContext, asked: Asked): Promise<ReadConversation | undefined> {
  const { project, number } = asked;
  await using access = await context.openProject(project, { issues: 'read', metadata: 'read' }, context.signal);
  const issue = await access.client.fetchIssue(number);
  if (!issue) return undefined;
  const comments = (await access.client.listComments(number, { since: new Date(0) })).filter(
    (comment) => comment.commentId !== asked.commentId,
  );
  const heard = await hearComments(comments, {
    isTrusted: (person) => context.isTrusted({ project, person, signal: context.signal }),
    maxLength: maxTextLength / 2,
  });
  const strip = async (text: string) => (await stripHiddenInThread(text, context.runTask, context.signal)).trim();
  const [body, said] = await Promise.all([
    strip(bound(issue.body.trim(), 2 * maxTextLength)),
    strip(heard.join('\n\n')),
  ]);
  const texts = [bound(body, maxTextLength - said.length), said];
  const text = storable(texts.filter(Boolean).join('\n\n'));
  const conversation = {
    kind: 'issue',
    number,
    author: issue.author.login,
    title: toTitle(issue.title),
    text,
  } as const;
  return { conversation, base: null, changes: [] };
}

/** A pull request that is not of a job. Undefined: it is gone. Throws where GitHub does not answer. */
export async function readPullRequest(context: DeliveryContext, asked: Asked): Promise<ReadConversation | undefined> {
  const { project, number } = asked;
  const { signal } = context;
  await using access = await context.openProject(project, { pull_requests: 'read' }, signal);
  const pullRequest = await access.client.fetchPullRequest(number);
  if (!pullRequest) return undefined;
  const { owner, repo, project_id: projectId } = project;
  const change = owner && repo ? await context.changes.read({ owner, repo, number }, { projectId, signal }) : undefined;
  const author = change?.kind === 'found' ? change.author : '';
  const refusal = findRefusal(pullRequest, { repositoryId: project.repository_id });
  const conversation = {
    kind: 'pull_request',
    ...(pullRequest.merged && { isMerged: true }),
    number,
    author,
    title: toTitle(pullRequest.title),
    text: '',
    ...(refusal && { refusal }),
  } as const;
  // A merged change is on the branch that it was for.
  return {
    conversation,
    base: pullRequest.merged ? pullRequest.base : pullRequest.branch,
    changes: change ? [change] : [],
  };
}

const toTitle = (title: string) => storable(bound(title, maxTitleLength));

/** Why a pull request cannot be documented on its branch; undefined: it can, or it is merged. */
export function findRefusal(
  { state, merged, headRepositoryId }: { state: 'open' | 'closed'; merged: boolean; headRepositoryId: number | null },
  { repositoryId }: { repositoryId: number },
): Conversation['refusal'] {
  if (merged) return undefined;
  if (state === 'closed')
    return {
      code: 'pull_request_closed',
      sentence: 'This pull request is closed, so there is nothing to document. Reopen it, then ask again.',
    };
  if (headRepositoryId === repositoryId) return undefined;
  return {
    code: 'from_fork',
    sentence:
      'This pull request comes from a fork, and Pagewright can only change branches of this repository. Push its branch to this repository and ask there, or ask here again after it is merged.',
  };
}

const maxCommentLength = 4_000;
/** Each may take a request. */
const maxAuthors = 20;

/**
 * The comments of people with write access on an issue, with their names, oldest first. Keeps the newest, because a mention refers to them.
 * The model sees no comment of a stranger, or of a bot.
 */
export async function hearComments(
  comments: readonly Comment[],
  {
    isTrusted,
    maxLength,
  }: { isTrusted: (person: { login: string; userId: number }) => Promise<boolean>; maxLength: number },
): Promise<string[]> {
  const trusted = new Map<number, boolean>();
  const said: string[] = [];
  let left = maxLength;
  for (const { author, body, viaAppId } of comments.toReversed()) {
    if (!author || author.isBot || viaAppId !== null) continue;
    const { login, userId } = author;
    if (!trusted.has(userId) && trusted.size >= maxAuthors) continue;
    const isHeard = trusted.get(userId) ?? (await isTrusted({ login, userId }));
    trusted.set(userId, isHeard);
    if (!isHeard) continue;
    const text = `${login} wrote:\n\n${bound(body, maxCommentLength)}`;
    left -= text.length + 2;
    if (left < 0) return ['Earlier comments are left out.', ...said.toReversed()];
    said.push(text);
  }
  return said.toReversed();
}
