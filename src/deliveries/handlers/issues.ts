import type { Happening } from '../../automations/note-happening.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent } from '../github-event.ts';
import { fieldsOf } from '../payload.ts';
import { mayTrigger } from '../worth-storing.ts';

export const issues = defineEvent({
  name: 'issues',
  fields: { repository: fieldsOf.repository, issue: fieldsOf.issue, label: fieldsOf.label.optional() },
  handle: {
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
  findDropReason({ issue, label, sender }) {
    if (!label || issue.pull_request) return 'not a label of an issue';
    return sender?.type === 'User' ? undefined : 'not by a person';
  },
  isWanted: mayTrigger,
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
