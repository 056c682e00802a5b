import { type Happening, noteHappening } from '../automations/note-happening.ts';
import type { Apply } from './delivery-context.ts';
import type { RepositoryPayload } from './payload.ts';

interface Place {
  repositoryId: number;
  /** `owner/name`. */
  repository?: string;
}

interface Subject {
  kind: 'pull_request' | 'release' | 'issue';
  number: number;
}

const describe = (place: Place, event: string, { kind, number }: Subject, occurredAt: Date) => ({
  key: `${event}:${place.repositoryId}:${number}`,
  repositoryId: place.repositoryId,
  subject: { kind, ...place, number },
  occurredAt,
});

interface Merge {
  number: number;
  author: { login: string; isBot: boolean } | null;
  mergedAt: Date;
  botLogin: string;
}

/** A pull request that was merged into the default branch. */
export const describeMerge = (place: Place, { number, author, mergedAt, botLogin }: Merge): Happening => ({
  ...describe(place, 'merged', { kind: 'pull_request', number }, mergedAt),
  isTriggerOf: ({ kind }) => kind === 'merged',
  isByBot: author?.isBot ?? false,
  isOurs: author?.isBot === true && author.login === botLogin,
});

interface Release {
  releaseId: number;
  isByBot: boolean;
  publishedAt: Date;
}

/** Created, published and released: one release. */
export const describeRelease = (place: Place, { releaseId, isByBot, publishedAt }: Release): Happening => ({
  ...describe(place, 'released', { kind: 'release', number: releaseId }, publishedAt),
  isTriggerOf: ({ kind }) => kind === 'released',
  isByBot,
});

/** An issue that somebody put a label on: once, also if the label is put there again. */
export const describeLabeled = (place: Place, number: number, label: string, labeledAt: Date): Happening => ({
  ...describe(place, 'issue', { kind: 'issue', number }, labeledAt),
  isTriggerOf: (trigger) => trigger.kind === 'label' && trigger.label.toLowerCase() === label.toLowerCase(),
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
