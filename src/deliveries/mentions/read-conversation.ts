import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { Conversation } from '../../store/tables/columns.ts';
import type { NamedPullRequest } from '../../store/tables/jobs/named-pull-request.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import { storable } from '../../text/storable.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { findRefusal } from './find-refusal.ts';

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
const maxCommentLength = 4_000;
/** Each may take a request. */
const maxAuthors = 20;

/** Undefined: the issue is gone. Throws where GitHub does not answer. */
export async function readIssue(context: DeliveryContext, asked: Asked): Promise<ReadConversation | undefined> {
  const { project, number } = asked;
  await using access = await context.openProject(project, { issues: 'read', metadata: 'read' }, context.signal);
  const issue = await access.client.fetchIssue(number);
  if (!issue) return undefined;
  const said = [issue.body, ...(await listTrusted(context, access.client, asked))].filter((text) => text.trim() !== '');
  const text = await stripHiddenInThread(bound(said.join('\n\n'), 2 * maxTextLength), context.runTask, context.signal);
  const { title, author } = issue;
  const conversation = { kind: 'issue', number, author: author.login, ...bounded({ title, text }) } as const;
  return { conversation, base: null, changes: [] };
}

/** What people with write access said there, with their names. The model sees no comment of a stranger, or of a bot. */
async function listTrusted(
  { isTrusted, signal }: DeliveryContext,
  client: RepositoryClient,
  { project, number, commentId }: Asked,
): Promise<string[]> {
  const comments = await client.listComments(number, { since: new Date(0) });
  const trusted = new Map<number, Promise<boolean>>();
  const said: string[] = [];
  for (const { author, body, viaAppId, ...comment } of comments) {
    if (!author || author.isBot || viaAppId !== null || comment.commentId === commentId) continue;
    const { login, userId } = author;
    const isKnown = trusted.has(userId);
    if (!isKnown && trusted.size >= maxAuthors) continue;
    const asked = trusted.get(userId) ?? isTrusted({ project, person: { login, userId }, signal });
    trusted.set(userId, asked);
    if (await asked) said.push(`${login} wrote:\n\n${bound(body, maxCommentLength)}`);
  }
  return said;
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
    ...bounded({ title: pullRequest.title, text: '' }),
    ...(refusal && { refusal }),
  } as const;
  // A merged change is on the branch that it was for.
  return {
    conversation,
    base: pullRequest.merged ? pullRequest.base : pullRequest.branch,
    changes: change ? [change] : [],
  };
}

const bounded = ({ title, text }: { title: string; text: string }) => ({
  title: storable(bound(title, maxTitleLength)),
  text: storable(bound(text.trim(), maxTextLength)),
});
