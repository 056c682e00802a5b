import { eyesOn, intendAnswer } from '../../effects/answer.ts';
import type { Person } from '../../github/calls/people-calls.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import type { StoreTx } from '../../store/store.ts';
import type { Asker } from '../../store/tables/columns.ts';
import { type Job, lockJob, updateJob } from '../../store/tables/jobs/jobs.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import type { ReadComment } from '../../text/read-visible.ts';
import type { JobPullRequest } from '../find-job-pull-request.ts';

/** A comment or review by a person who may start and stop work. */
export interface Trigger {
  source: 'comment' | 'review' | 'issue';
  /** The same for every delivery of it. */
  sourceKey: string;
  person: Person;
  deliveryId: string;
  /** By GitHub's clock, in whole seconds. */
  writtenAt: Date;
  /** Each gets an eyes reaction. */
  comments: { on: 'comment' | 'review_comment' | 'issue'; commentId: number }[];
}

/** Whether the repository's settings accept the comment. They accept every stop. */
export function isAccepted(read: ReadComment, { settings }: Project): boolean {
  if (read.kind !== 'instruction') return read.kind === 'stop';
  const { comments } = readStoredSettings(settings);
  return comments === 'all' || (comments === 'mention' && read.isMention);
}

/** Also stores the pull request's number, if its run has not: without it, a failed run could not answer. */
export async function lockTriggeredJob({ tx }: StoreTx, { job, number, isElsewhere }: JobPullRequest): Promise<Job> {
  const locked = await lockJob(tx, job.job_id);
  if (isElsewhere || locked.pull_request_number !== null) return locked;
  return updateJob(tx, job.job_id, { pull_request_number: number });
}

export const toAsker = ({ person, source, deliveryId }: Trigger): Asker => ({
  author: person.login,
  source,
  deliveryId,
});

/** `of`: whose answer it is. */
export async function reactWithEyes(
  store: StoreTx,
  { comments }: Trigger,
  of: { jobId: string; asker: Asker } | { jobId: string; messageId: string },
): Promise<void> {
  for (const { on, commentId } of comments) await intendAnswer(store, { ...of, ...eyesOn(on, commentId) });
}

export async function commentOn(
  store: StoreTx,
  { job: { job_id: jobId }, number: pullRequest, issueOf }: JobPullRequest,
  trigger: Trigger,
  { key, body }: { key: string; body: string },
): Promise<void> {
  const answer = { kind: 'comment', pullRequest, ...(issueOf !== undefined && { issueOf }), body } as const;
  await intendAnswer(store, { jobId, asker: toAsker(trigger), key, answer });
}

/** Once per archiving: a later "thank you" gets no second answer. */
export function explainArchived(
  store: StoreTx,
  pullRequest: JobPullRequest,
  trigger: Trigger,
  { archived_at: archivedAt }: Job,
): Promise<void> {
  return commentOn(store, pullRequest, trigger, { key: `job:archived:${archivedAt?.toISOString()}`, body: archived });
}

const archived =
  'Work on this pull request has ended, so Pagewright no longer accepts instructions here. If the pull request is open, unarchive its job on the dashboard or through the API. If it was closed, reopen it to continue. If it was merged, create a new job.';
