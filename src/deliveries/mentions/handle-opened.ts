import { type Apply, type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import type { Trigger } from '../instructions/trigger.ts';
import { handleMention, isMention } from './handle-mention.ts';

/** The text of an issue or a pull request that a person has opened may mention the App. An edit does not count. */
export async function handleOpened(
  context: DeliveryContext,
  {
    number,
    body,
    user,
    created_at: createdAt,
  }: {
    number: number;
    body?: string | null | undefined;
    user?: { login: string; id: number } | null | undefined;
    created_at?: string | null | undefined;
  },
  kind: 'issue' | 'pull_request',
): Promise<Apply | string> {
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
