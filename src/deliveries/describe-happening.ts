import { type Happening, noteHappening } from '../automations/note-happening.ts';
import type { Apply } from './delivery-context.ts';
import type { RepositoryPayload } from './payload.ts';

interface Place {
  repositoryId: number;
  /** `owner/name`. */
  repository?: string;
}

/** A pull request that was merged into the default branch. */
export const describeMerge = ({
  number,
  author,
  mergedAt,
  botLogin,
  ...place
}: Place & {
  number: number;
  author: { login: string; isBot: boolean } | null;
  mergedAt: Date;
  botLogin: string;
}): Happening => ({
  key: `merged:${place.repositoryId}:${number}`,
  repositoryId: place.repositoryId,
  subject: { kind: 'pull_request', ...place, number },
  occurredAt: mergedAt,
  isTriggerOf: ({ kind }) => kind === 'merged',
  isByBot: author?.isBot ?? false,
  isOurs: author?.isBot === true && author.login === botLogin,
});

/** Created, published and released: one release. */
export const describeRelease = ({
  releaseId,
  isByBot,
  publishedAt,
  ...place
}: Place & { releaseId: number; isByBot: boolean; publishedAt: Date }): Happening => ({
  key: `released:${place.repositoryId}:${releaseId}`,
  repositoryId: place.repositoryId,
  subject: { kind: 'release', ...place, number: releaseId },
  occurredAt: publishedAt,
  isTriggerOf: ({ kind }) => kind === 'released',
  isByBot,
});

export const nameRepository = ({ id, owner, name }: RepositoryPayload): Place => ({
  repositoryId: id,
  ...(owner && { repository: `${owner.login}/${name}` }),
});

/** A delivery that does nothing else. */
export const noteOnce =
  (happening: Happening): Apply =>
  async (store) =>
    (await noteHappening(store, happening)) > 0 ? undefined : 'it triggers no automation, or was noted before';
