import { z } from 'zod';
import { ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../heads.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';
import { mayBeChecked, repeatChecks } from '../request-check.ts';

const checkRunSchema = z.object({ head_sha: z.string(), external_id: z.string().nullish() });

interface Fields extends CommonFields {
  check_run: z.infer<typeof checkRunSchema>;
}

const completed: EventHandler<Fields> = async (context) => noteHead(context, context.fields.check_run.head_sha);

/** GitHub asks only the App whose check it is. The id begins with the number of the pull request. */
const rerequested: EventHandler<Fields> = async (context) => {
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const { head_sha: sha, external_id: externalId } = context.fields.check_run;
  const number = Number(/^(\d{1,9}):\d{1,9}$/.exec(externalId ?? '')?.[1]);
  if (!number) return 'not a check of ours';
  const head = { projectId: project.project_id, sha, number };
  return async (store) => ((await repeatChecks(store, head)).length > 0 ? undefined : 'it has not ended');
};

export const checkRun = defineEvent({
  name: 'check_run',
  fields: { repository: fieldsOf.repository, check_run: checkRunSchema },
  handle: { completed, rerequested },
  isWanted: (database, fields) =>
    fields.action === 'rerequested'
      ? mayBeChecked(database, fields)
      : mayConcernHead(database, fields, fields.check_run.head_sha),
});
