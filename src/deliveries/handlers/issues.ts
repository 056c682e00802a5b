import { z } from 'zod';
import type { Happening } from '../../automations/note-happening.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent } from '../github-event.ts';
import { handleOpened } from '../mentions/handle-opened.ts';
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
    opened: async (context) => handleOpened(context, context.fields.issue, 'issue'),
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
  number,
  label,
  labeledAt,
  ...place
}: ReturnType<typeof nameRepository> & { number: number; label: string; labeledAt: Date }): Happening => ({
  key: `issue:${place.repositoryId}:${number}`,
  repositoryId: place.repositoryId,
  subject: { kind: 'issue', ...place, number },
  occurredAt: labeledAt,
  isTriggerOf: (trigger) => trigger.kind === 'label' && trigger.label.toLowerCase() === label.toLowerCase(),
});
