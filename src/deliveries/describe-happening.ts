import type { Happening } from '../automations/note-happening.ts';

interface Place {
  repositoryId: number;
  /** `owner/name`. */
  repository: string | undefined;
}

const subjectOf = ({ repositoryId, repository }: Place) => ({
  repositoryId,
  ...(repository !== undefined && { repository }),
});

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
  subject: { kind: 'pull_request', ...subjectOf(place), number },
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
  subject: { kind: 'release', ...subjectOf(place), number: releaseId },
  occurredAt: publishedAt,
  isTriggerOf: ({ kind }) => kind === 'released',
  isByBot,
});

/** An issue that somebody put a label on: once, also if the label is put there again. */
export const describeLabeled = ({
  number,
  label,
  labeledAt,
  ...place
}: Place & { number: number; label: string; labeledAt: Date }): Happening => ({
  key: `issue:${place.repositoryId}:${number}`,
  repositoryId: place.repositoryId,
  subject: { kind: 'issue', ...subjectOf(place), number },
  occurredAt: labeledAt,
  isTriggerOf: (trigger) => trigger.kind === 'label' && trigger.label.toLowerCase() === label.toLowerCase(),
});
