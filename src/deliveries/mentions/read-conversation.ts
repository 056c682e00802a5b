import type { Conversation } from '../../store/tables/columns.ts';
import type { NamedPullRequest } from '../../store/tables/jobs/named-pull-request.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import { storable } from '../../text/storable.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { findRefusal } from './find-refusal.ts';
import { hearComments } from './hear-comments.ts';

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
