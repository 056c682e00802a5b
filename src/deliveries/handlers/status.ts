import { z } from 'zod';
import { defineEvent } from '../github-event.ts';
import { mayConcernHead, noteHead, notePreviewOf } from '../heads.ts';
import { fieldsOf } from '../payload.ts';

/** Read the Docs names its project: https://docs.readthedocs.com/platform/stable/pull-requests.html */
const isOfPreview = /preview|deploy|readthedocs/i;

/** Of a commit; it has no action. */
export const status = defineEvent({
  name: 'status',
  fields: {
    repository: fieldsOf.repository,
    sha: z.string(),
    state: z.string(),
    context: z.string(),
    target_url: z.string().nullish(),
  },
  handle: async (context) => {
    const { fields } = context;
    const { sha, state, context: name, target_url: url } = fields;
    const note = noteHead(context, sha);
    if (state !== 'success' || !url || !isOfPreview.test(name)) return note;
    const show = notePreviewOf(fields, { sha, url });
    return async (store) => {
      const shown = await show(store);
      return (await note(store)) === undefined ? undefined : shown;
    };
  },
  findDropReason: ({ state }) => (state === 'pending' ? 'not finished' : undefined),
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.sha),
});
