import { z } from 'zod';
import { defineEvent } from '../github-event.ts';
import { mayConcernHead, noteHead } from '../note-check.ts';
import { fieldsOf } from '../payload.ts';

/** Of a commit; it has no action. */
export const status = defineEvent({
  name: 'status',
  fields: { repository: fieldsOf.repository, sha: z.string(), state: z.string() },
  handle: async (context) => noteHead(context, context.fields.sha),
  findDropReason: ({ state }) => (state === 'pending' ? 'not finished' : undefined),
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.sha),
});
