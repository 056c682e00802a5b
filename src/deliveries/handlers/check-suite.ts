import { z } from 'zod';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../note-check.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';

const checkSuiteSchema = z.object({ head_sha: z.string() });

interface Fields extends CommonFields {
  check_suite: z.infer<typeof checkSuiteSchema>;
}

const completed: EventHandler<Fields> = async (context) => noteHead(context, context.fields.check_suite.head_sha);

export const checkSuite = defineEvent({
  name: 'check_suite',
  fields: { repository: fieldsOf.repository, check_suite: checkSuiteSchema },
  handle: { completed },
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.check_suite.head_sha),
});
