import { eyesOn } from '../../effects/answer.ts';
import { intendAnswer } from '../../effects/intend-answer.ts';
import { acceptMessage } from '../../jobs/add-message.ts';
import type { StoreTx } from '../../store/store.ts';
import { lockJob } from '../../store/tables/jobs.ts';
import { findMessageBySource, type NewMessage } from '../../store/tables/messages.ts';
import { lockProject } from '../../store/tables/projects.ts';
import type { Asker } from '../../store/tables/schema.ts';
import type { OwnPullRequest } from '../find-job-pull-request.ts';
import { recordPullRequest } from '../record-pull-request.ts';

/** What a person wrote on GitHub, and where. */
export interface Instruction extends Omit<NewMessage, 'jobId' | 'sourceKey' | 'author'> {
  person: NonNullable<NewMessage['person']>;
  deliveryId: string;
  /** The same for every delivery that tells of it. */
  sourceKey: string;
  writtenAt: Date;
  pullRequest: number;
  /** The comments on which eyes show that it was seen. */
  comments: { on: 'comment' | 'review_comment'; commentId: number }[];
}

/**
 * Makes an instruction a message of the job, shows that it was seen, or says why it is not taken. In the transaction of its delivery;
 * idempotent by its source.
 */
export async function acceptInstruction(
  store: StoreTx,
  { project, job: { job_id: jobId } }: OwnPullRequest,
  { writtenAt, pullRequest, comments, ...message }: Instruction,
): Promise<string | undefined> {
  if (!(await lockProject(store.tx, project.project_id))) return 'project_gone';
  const job = await lockJob(store.tx, jobId);
  await recordPullRequest(store.tx, job, pullRequest);
  // It came late: whoever stopped the job had read it. GitHub dates in whole seconds, so what has the same one as the stop may be newer.
  if (job.stopped_at && job.stopped_at > writtenAt) return 'somebody said stop after it';
  const request = {
    ...message,
    writtenAt,
    jobId,
    projectId: project.project_id,
    author: message.person.login,
    rateLimit: 0,
  };
  const asker = toAsker(message);
  const result = await acceptMessage(store, request);
  if (result.kind === 'archived') {
    await tellArchived(store, { jobId, pullRequest, asker });
    return 'the job is archived';
  }
  if (result.kind === 'too_many_waiting') {
    const key = `${message.sourceKey}:too-many`;
    await intendAnswer(store, { jobId, asker, key, answer: { kind: 'comment', pullRequest, body: tooManyWaiting } });
  }
  if (result.kind !== 'accepted') return result.kind;
  const accepted = await findMessageBySource(store.tx, { jobId, sourceKey: message.sourceKey });
  const messageId = accepted?.message_id ?? '';
  for (const { on, commentId } of comments) {
    await intendAnswer(store, { jobId, messageId, ...eyesOn(on, commentId) });
  }
  return undefined;
}

/** Who asks, for an answer to what is no message of the job. */
export const toAsker = ({
  person,
  source,
  deliveryId,
}: Pick<Instruction, 'person' | 'source' | 'deliveryId'>): Asker => ({
  author: person.login,
  source,
  deliveryId,
});

const tooManyWaiting =
  'Twenty instructions wait on this pull request already, so this one was not taken. Write it again when some of them are answered.';

/** Said once each time the job is archived: whoever thanks for a merge after that asks for nothing. */
export async function tellArchived(
  store: StoreTx,
  { jobId, pullRequest, asker }: { jobId: string; pullRequest: number; asker: Asker },
): Promise<void> {
  const job = await lockJob(store.tx, jobId);
  const key = `job:archived:${job.archived_at?.toISOString()}`;
  const body =
    'The work on this pull request is over, so instructions here are no longer taken. If it was closed, reopen it to go on; if it was merged, send a new job.';
  await intendAnswer(store, { jobId, asker, key, answer: { kind: 'comment', pullRequest, body } });
}
