import { z } from 'zod';
import { describeRelease, nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent, type EventHandler, type FieldsOf } from '../github-event.ts';
import { author, fieldsOf, moment } from '../payload.ts';
import { mayTrigger } from '../worth-storing.ts';

const fields = {
  repository: fieldsOf.repository,
  release: z.object({ id: z.number(), draft: z.boolean(), author, published_at: moment.nullish() }),
};

const released: EventHandler<FieldsOf<typeof fields>> = async ({ fields, receivedAt }) => {
  const { id: releaseId, author: publisher, published_at: published } = fields.release;
  const publishedAt = published ? new Date(published) : receivedAt;
  const isByBot = publisher?.type === 'Bot';
  return noteOnce(describeRelease(nameRepository(fields.repository), { releaseId, isByBot, publishedAt }));
};

export const release = defineEvent({
  name: 'release',
  fields,
  handle: { created: released, published: released, released },
  findDropReason: ({ release: { draft } }) => (draft ? 'not published' : undefined),
  isWanted: mayTrigger,
});
