import { maxPromptLength } from '../../jobs/find-prompt-problem.ts';
import { bound } from '../../text/bound.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { defineEvent, type EventHandler, type FieldsOf } from '../github-event.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { admit } from '../instructions/admit.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import { isAccepted, type Trigger } from '../instructions/trigger.ts';
import { handleMention, isMention } from '../mentions/handle-mention.ts';
import { fieldsOf } from '../payload.ts';
import { mayConcernJob, mayMention, unlessByPerson } from '../worth-storing.ts';

const fields = { repository: fieldsOf.repository, issue: fieldsOf.issue, comment: fieldsOf.comment };

const commentCreated: EventHandler<FieldsOf<typeof fields>> = async (context) => {
  const { deliveryId, fields } = context;
  const { comment, issue } = fields;
  if (!comment.user) return 'the delivery has no author';
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const readComment = await context.commentReader();
  const read = await readComment(comment.body ?? '');
  if (read.kind === 'nothing') return 'no instruction for this App';
  const isPullRequest = Boolean(issue.pull_request);
  const isForJob = isPullRequest && isAccepted(read, project) && (await mayConcernJob(context.database, fields));
  const isForUs = isMention(read, project);
  if (!isForJob && !isForUs) return 'no mention, or the repository’s settings ignore this comment';
  const person = { login: comment.user.login, userId: comment.user.id };
  const held = await admit(context, { project, person, isStop: read.kind === 'stop' });
  if (held) return held;

  const trigger: Trigger = {
    source: isPullRequest ? 'comment' : 'issue',
    sourceKey: `comment:${comment.id}`,
    person,
    deliveryId,
    writtenAt: new Date(comment.created_at),
    comments: [{ on: 'comment', commentId: comment.id }],
  };
  const pullRequest = isPullRequest ? await findJobPullRequest(context) : undefined;
  if (!pullRequest) {
    if (!isForUs) return ignoredBecause.noJob;
    return handleMention(context, { project, number: issue.number, isPullRequest, read, trigger });
  }
  if (!isForJob) return 'the repository’s settings ignore this comment';
  if (read.kind === 'stop') return (store) => stopByComment(store, pullRequest, trigger);
  const prompt = bound(read.text, maxPromptLength);
  const { project_id: projectId } = pullRequest.project;
  const changes = await context.changes.readAtOnce(prompt, { projectId, signal: context.signal });
  return (store) => acceptInstruction(store, pullRequest, trigger, { prompt, changes }, context);
};

export const issueComment = defineEvent({
  name: 'issue_comment',
  fields,
  handle: { created: commentCreated },
  findDropReason: (fields) =>
    fields.issue.pull_request || fields.comment.body?.includes('@') ? unlessByPerson(fields) : 'no mention',
  isWanted: async (database, fields) =>
    (Boolean(fields.issue.pull_request) && (await mayConcernJob(database, fields))) ||
    mayMention(database, fields, fields.comment.body),
});
