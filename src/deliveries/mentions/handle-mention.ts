import { maxPromptLength } from '../../jobs/find-prompt-problem.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import { findJobAskedOn } from '../../store/tables/jobs/jobs.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import type { ReadComment } from '../../text/read-visible.ts';
import { type Apply, type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import type { Trigger } from '../instructions/trigger.ts';
import { acceptMention } from './accept-mention.ts';
import { readIssue, readPullRequest } from './read-conversation.ts';

/** Whether a text on an issue, or on a pull request that is not of a job, is for the App. */
export const isMention = (read: ReadComment, { settings }: Project): boolean =>
  readStoredSettings(settings).mentions === 'all' &&
  (read.kind === 'stop' || (read.kind === 'instruction' && read.isMention));

/** Starts or continues a job. The person may write, and `read` is a mention. */
export async function handleMention(
  context: DeliveryContext,
  options: { project: Project; number: number; isPullRequest: boolean; read: ReadComment; trigger: Trigger },
): Promise<Apply | string> {
  const { project, number, isPullRequest, read, trigger } = options;
  const { project_id: projectId } = project;
  if (read.kind === 'stop') {
    const job = await findJobAskedOn(context.database, { projectId, number });
    if (!job) return ignoredBecause.noJob;
    const issueOf = isPullRequest ? undefined : project.repository_id;
    return (store) => stopByComment(store, { project, job, number, isElsewhere: true, issueOf }, trigger);
  }
  if (read.kind === 'nothing') return 'no instruction for this App';
  const [onComment] = trigger.comments.filter(({ on }) => on === 'comment');
  const asked = { project, number, commentId: onComment?.commentId };
  const found = isPullRequest ? await readPullRequest(context, asked) : await readIssue(context, asked);
  if (!found) return 'it is gone';
  const prompt = bound(read.text, maxPromptLength);
  const named = await context.changes.readNamed(prompt, { projectId, signal: context.signal });
  const mention = { ...found, changes: [...found.changes, ...named], project, prompt, trigger };
  return (store) => acceptMention(store, mention, context);
}

/** The text of an issue or a pull request that a person has opened may mention the App. An edit does not count. */
export async function handleOpened(
  context: DeliveryContext,
  opened: {
    number: number;
    body?: string | null | undefined;
    user?: { login: string; id: number } | null | undefined;
    created_at?: string | null | undefined;
  },
  kind: 'issue' | 'pull_request',
): Promise<Apply | string> {
  const { number, body, user, created_at: createdAt } = opened;
  const { deliveryId, receivedAt, signal } = context;
  const project = await context.findProject();
  if (!project || !user) return ignoredBecause.noProject;
  const readComment = await context.commentReader();
  const read = await readComment(body ?? '');
  // There is no job to stop yet.
  if (read.kind !== 'instruction' || !isMention(read, project)) return 'no mention of this App';
  const person = { login: user.login, userId: user.id };
  if (!(await context.mayPrompt({ project, person, signal }))) return ignoredBecause.noWriteAccess;
  const trigger: Trigger = {
    source: kind === 'issue' ? 'issue' : 'comment',
    sourceKey: `${kind}:${number}`,
    person,
    deliveryId,
    writtenAt: createdAt ? new Date(createdAt) : receivedAt,
    // A pull request is an issue, too.
    comments: [{ on: 'issue', commentId: number }],
  };
  return handleMention(context, { project, number, isPullRequest: kind === 'pull_request', read, trigger });
}
