import { z } from 'zod';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../note-check.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';

const checkRunSchema = z.object({ head_sha: z.string() });

interface Fields extends CommonFields {
  check_run: z.infer<typeof checkRunSchema>;
}

const completed: EventHandler<Fields> = async (context) => noteHead(context, context.fields.check_run.head_sha);

export const checkRun = defineEvent({
  name: 'check_run',
  fields: { repository: fieldsOf.repository, check_run: checkRunSchema },
  handle: { completed },
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.check_run.head_sha),
});
