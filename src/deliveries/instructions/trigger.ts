import { intendAnswer } from '../../effects/intend-answer.ts';
import type { Person } from '../../github/calls/people-calls.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import type { StoreTx } from '../../store/store.ts';
import { type Job, lockJob, updateJob } from '../../store/tables/jobs.ts';
import type { Project } from '../../store/tables/projects.ts';
import type { Asker } from '../../store/tables/schema.ts';
import type { ReadComment } from '../../text/read-comment.ts';
import type { JobPullRequest } from '../find-job-pull-request.ts';

/** A comment or review on a job's pull request, by a person who may start and stop work there. */
export interface Trigger {
  source: 'comment' | 'review';
  /** The same for every delivery of this comment or review. */
  sourceKey: string;
  person: Person;
  deliveryId: string;
  /** By GitHub's clock, in whole seconds. */
  writtenAt: Date;
  /** The comments that get an eyes reaction. */
  comments: { on: 'comment' | 'review_comment'; commentId: number }[];
}

/** Whether the repository's settings accept this comment as an instruction. They always accept a stop. */
export function isAccepted(read: ReadComment, { settings }: Project): boolean {
  if (read.kind !== 'instruction') return read.kind === 'stop';
  const { comments } = readStoredSettings(settings);
  return comments === 'all' || (comments === 'mention' && read.isMention);
}

/**
 * Locks the job of a trigger, and stores the pull request's number if the run that opened it has not done so: without the number a run that
 * fails could not answer there.
 */
export async function lockTriggeredJob({ tx }: StoreTx, { job, number }: JobPullRequest): Promise<Job> {
  const locked = await lockJob(tx, job.job_id);
  if (locked.pull_request_number !== null) return locked;
  return updateJob(tx, job.job_id, { pull_request_number: number });
}

/** Who gets the answer to a trigger that did not become a message. */
export const toAsker = ({ person, source, deliveryId }: Trigger): Asker => ({
  author: person.login,
  source,
  deliveryId,
});

/** Answers a trigger that did not become a message with a comment on the pull request, once per `key`. */
export function commentOn(
  store: StoreTx,
  { job: { job_id: jobId }, number: pullRequest }: JobPullRequest,
  trigger: Trigger,
  { key, body }: { key: string; body: string },
): Promise<void> {
  const answer = { kind: 'comment', pullRequest, body } as const;
  return intendAnswer(store, { jobId, asker: toAsker(trigger), key, answer });
}

/** Comments once per archiving, so that a later "thank you" gets no second answer. */
export function tellArchived(
  store: StoreTx,
  pullRequest: JobPullRequest,
  trigger: Trigger,
  { archived_at: archivedAt }: Job,
): Promise<void> {
  return commentOn(store, pullRequest, trigger, { key: `job:archived:${archivedAt?.toISOString()}`, body: archived });
}

const archived =
  'Work on this pull request has ended, so Pagewright no longer accepts instructions here. If it was closed, reopen it to continue. If it was merged, create a new job.';
