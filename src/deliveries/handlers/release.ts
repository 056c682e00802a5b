import { z } from 'zod';
import { describeRelease, nameRepository, noteOnce } from '../describe-happening.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { author, type CommonFields, fieldsOf, moment, type RepositoryPayload } from '../payload.ts';
import { mayTrigger } from '../worth-storing.ts';

const releaseSchema = z.object({ id: z.number(), draft: z.boolean(), author, published_at: moment.nullish() });

interface Fields extends CommonFields {
  repository: RepositoryPayload;
  release: z.infer<typeof releaseSchema>;
}

const released: EventHandler<Fields> = async ({ fields, receivedAt }) => {
  const { id: releaseId, author: publisher, published_at: published } = fields.release;
  const publishedAt = published ? new Date(published) : receivedAt;
  const isByBot = publisher?.type === 'Bot';
  return noteOnce(describeRelease(nameRepository(fields.repository), { releaseId, isByBot, publishedAt }));
};

export const release = defineEvent({
  name: 'release',
  fields: { repository: fieldsOf.repository, release: releaseSchema },
  handle: { created: released, published: released, released },
  findDropReason: ({ release: { draft } }) => (draft ? 'not published' : undefined),
  isWanted: mayTrigger,
});
