import { z } from 'zod';
import { ignoredBecause } from '../delivery-context.ts';
import { describeLabeled, nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent } from '../github-event.ts';
import { handleOpened } from '../mentions/handle-mention.ts';
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
      return noteOnce(describeLabeled(nameRepository(repository), issue.number, label.name, labeledAt));
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
