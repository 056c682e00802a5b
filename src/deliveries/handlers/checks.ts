import { z } from 'zod';
import type { Database } from '../../store/postgres/database.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../heads.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';
import { mayBeChecked, repeatChecks } from '../request-check.ts';

const runSchema = z.object({ head_sha: z.string(), external_id: z.string().nullish() });
const suiteSchema = z.object({ head_sha: z.string() });

/** One of the two is there. */
interface Fields extends CommonFields {
  check_run?: z.infer<typeof runSchema>;
  check_suite?: z.infer<typeof suiteSchema>;
}

const headOf = ({ check_run: run, check_suite: suite }: Fields): string => (run ?? suite)?.head_sha ?? '';

const completed: EventHandler<Fields> = async (context) => noteHead(context, headOf(context.fields));

/**
 * "Re-run", or "Re-run all checks". GitHub asks only the App whose check it is. The id of a check run begins with the number of the pull
 * request.
 */
const rerequested: EventHandler<Fields> = async (context) => {
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const { check_run: run } = context.fields;
  const number = run && Number(/^(\d{1,9}):\d{1,9}$/.exec(run.external_id ?? '')?.[1]);
  if (run && !number) return 'not a check of ours';
  const head = { projectId: project.project_id, sha: headOf(context.fields), ...(number && { number }) };
  return async (store) => ((await repeatChecks(store, head)).length > 0 ? undefined : 'it has not ended');
};

const shared = {
  handle: { completed, rerequested },
  isWanted: (database: Database, fields: Fields) =>
    fields.action === 'rerequested' ? mayBeChecked(database, fields) : mayConcernHead(database, fields, headOf(fields)),
};

const { repository } = fieldsOf;
export const checkRun = defineEvent({ name: 'check_run', fields: { repository, check_run: runSchema }, ...shared });
export const checkSuite = defineEvent({
  name: 'check_suite',
  fields: { repository, check_suite: suiteSchema },
  ...shared,
});
