import { z } from 'zod';
import type { Happening } from '../../automations/note-happening.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent } from '../github-event.ts';
import type { Trigger } from '../instructions/trigger.ts';
import { handleMention, isMention } from '../mentions/handle-mention.ts';
import { fieldsOf, text } from '../payload.ts';
import { mayMention, mayTrigger } from '../worth-storing.ts';

export const issues = defineEvent({
  name: 'issues',
  fields: {
    repository: fieldsOf.repository,
    issue: fieldsOf.issue.extend({ body: text, performed_via_github_app: z.object({}).nullish() }),
    label: fieldsOf.label.optional(),
  },
  handle: {
    /** Its text may mention the App. An edit does not count. */
    async opened(context) {
      const { deliveryId, fields, receivedAt } = context;
      const { number, body, user, created_at: createdAt } = fields.issue;
      const project = await context.findProject();
      if (!project || !user) return ignoredBecause.noProject;
      const readComment = await context.commentReader();
      const read = await readComment(body ?? '');
      // There is no job to stop yet.
      if (read.kind !== 'instruction' || !isMention(read, project)) return 'no mention of this App';
      const person = { login: user.login, userId: user.id };
      if (!(await context.mayPrompt({ project, person, signal: context.signal }))) return ignoredBecause.noWriteAccess;
      const trigger: Trigger = {
        source: 'issue',
        sourceKey: `issue:${number}`,
        person,
        deliveryId,
        writtenAt: createdAt ? new Date(createdAt) : receivedAt,
        comments: [{ on: 'issue', commentId: number }],
      };
      return handleMention(context, { project, number, isPullRequest: false, read, trigger });
    },
    /** Only a label that somebody with write access to the issue's repository puts on it. */
    async labeled(context) {
      const { fields, receivedAt, signal } = context;
      const { repository, issue, label, sender } = fields;
      if (!label || !sender) return 'the delivery has no label';
      const project = await context.findProject();
      if (!project) return ignoredBecause.noProject;
      const person = { login: sender.login, userId: sender.id };
      if (!(await context.mayPrompt({ project, person, signal }))) return ignoredBecause.noWriteAccess;
      const labeledAt = issue.updated_at ? new Date(issue.updated_at) : receivedAt;
      return noteOnce(
        describeLabeled({ ...nameRepository(repository), number: issue.number, label: label.name, labeledAt }),
      );
    },
  },
  findDropReason({ action, issue, label, sender }) {
    const { user, performed_via_github_app: viaApp } = issue;
    if (issue.pull_request || sender?.type !== 'User') return 'not an issue, or not by a person';
    if (action === 'labeled') return label ? undefined : 'no label';
    return user?.id === sender.id && !viaApp ? undefined : 'not written by a person';
  },
  isWanted: (database, fields) =>
    fields.action === 'labeled' ? mayTrigger(database, fields) : mayMention(database, fields, fields.issue.body),
});

/** An issue that somebody put a label on: once, also if the label is put there again. */
const describeLabeled = ({
  repositoryId,
  repository,
  number,
  label,
  labeledAt,
}: ReturnType<typeof nameRepository> & { number: number; label: string; labeledAt: Date }): Happening => ({
  key: `issue:${repositoryId}:${number}`,
  repositoryId,
  subject: { kind: 'issue', repositoryId, ...(repository !== undefined && { repository }), number },
  occurredAt: labeledAt,
  isTriggerOf: (trigger) => trigger.kind === 'label' && trigger.label.toLowerCase() === label.toLowerCase(),
});
