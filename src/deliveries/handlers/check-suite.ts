import { z } from 'zod';
import { ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../heads.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';
import { mayBeChecked, repeatChecks } from '../request-check.ts';

const checkSuiteSchema = z.object({ head_sha: z.string() });

interface Fields extends CommonFields {
  check_suite: z.infer<typeof checkSuiteSchema>;
}

const completed: EventHandler<Fields> = async (context) => noteHead(context, context.fields.check_suite.head_sha);

/** "Re-run all checks". */
const rerequested: EventHandler<Fields> = async (context) => {
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const head = { projectId: project.project_id, sha: context.fields.check_suite.head_sha };
  return async (store) => ((await repeatChecks(store, head)).length > 0 ? undefined : 'it has not ended');
};

export const checkSuite = defineEvent({
  name: 'check_suite',
  fields: { repository: fieldsOf.repository, check_suite: checkSuiteSchema },
  handle: { completed, rerequested },
  isWanted: (database, fields) =>
    fields.action === 'rerequested'
      ? mayBeChecked(database, fields)
      : mayConcernHead(database, fields, fields.check_suite.head_sha),
});
