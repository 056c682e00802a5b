import { maxPromptLength } from '../../jobs/add-message.ts';
import { bound } from '../../text/bound.ts';
import type { EventHandler } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import { isAccepted, type Trigger } from '../instructions/trigger.ts';
import { waitForOlder } from '../instructions/wait-for-older.ts';

export const commentCreated: EventHandler = async (context) => {
  const { deliveryId, fields, signal } = context;
  const { issue, comment } = fields;
  if (!issue || !comment?.user) return 'the delivery has no comment';
  const project = await context.findProject();
  if (!project) return 'the repository is not a project';
  const readComment = await context.commentReader();
  const read = await readComment(comment.body ?? '');
  if (read.kind === 'nothing') return 'no instruction for this App';
  if (!isAccepted(read, project)) return 'the repository’s settings ignore this comment';
  const person = { login: comment.user.login, userId: comment.user.id };
  const again = read.kind === 'stop' ? undefined : await waitForOlder(context);
  if (again) return async () => again;
  // After the wait, because access may end meanwhile. Before findJobPullRequest, which may send a request to GitHub: strangers must not be able to cause one per comment.
  const isAllowed = read.kind === 'stop' ? context.isTrusted : context.mayPrompt;
  if (!(await isAllowed({ project, person, signal }))) return 'written by somebody without write access';
  const pullRequest = await findJobPullRequest(context);
  if (!pullRequest) return 'not a pull request of a job';

  const trigger: Trigger = {
    source: 'comment',
    sourceKey: `comment:${comment.id}`,
    person,
    deliveryId,
    writtenAt: new Date(comment.created_at),
    comments: [{ on: 'comment', commentId: comment.id }],
  };
  if (read.kind === 'stop') return (store) => stopByComment(store, pullRequest, trigger);
  return (store) =>
    acceptInstruction(store, pullRequest, trigger, { prompt: bound(read.text, maxPromptLength) }, context);
};
