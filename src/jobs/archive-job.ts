import { createId } from '../create-id.ts';
import { intendAnswer } from '../effects/answer.ts';
import { readStoredSettings } from '../repository/settings.ts';
import type { Tx } from '../store/postgres/database.ts';
import { signalJob } from '../store/schedule/workers.ts';
import type { StoreTx } from '../store/store.ts';
import { makeDue } from '../store/tables/automations/automations.ts';
import { releaseOccasions } from '../store/tables/automations/occasions.ts';
import type { ArchiveReason } from '../store/tables/columns.ts';
import { recordEvents } from '../store/tables/jobs/events.ts';
import { hasMessageAskedOn, type Job, lockJob, stopJob, updateJob } from '../store/tables/jobs/jobs.ts';
import {
  countWaitingMessages,
  dropWaitingMessages,
  finishMessages,
  listMessagesOfRun,
  listOpenMessages,
  type Message,
} from '../store/tables/jobs/messages.ts';
import { openJob } from '../store/tables/jobs/open-job.ts';
import { findLastRunId, findOpenRun, type Run } from '../store/tables/jobs/runs.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { answerConversations, answerFailure } from './answer-run.ts';
import { closeRun, describeAccepted, describeCreated, recordArchived, startRun } from './job-events.ts';
import { transition } from './transition.ts';

export const archiveReasons: Record<ArchiveReason, string> = {
  requested: 'Someone archived the job. To continue, unarchive it on the dashboard or through the API.',
  merged: 'The pull request was merged, so this job has ended. For further changes, create a new job.',
  closed: 'The pull request was closed, so this job has ended. To continue, reopen it and ask again.',
  repository_gone: 'Pagewright can no longer access the repository. Restore its access, then create a new job.',
};

/**
 * Archives the job in any status. Raises the lease epoch, so that a live run can write nothing more. Answers the waiting messages.
 * Idempotent: in an archived job, only a merge or a close changes the reason.
 */
export async function archiveJob(store: StoreTx, jobId: string, reason: ArchiveReason): Promise<Job> {
  return archiveLockedJob(store, await lockJob(store.tx, jobId), reason);
}

export async function archiveLockedJob(store: StoreTx, job: Job, reason: ArchiveReason): Promise<Job> {
  const { tx } = store;
  const { job_id: jobId } = job;
  if (job.status === 'archived') {
    const isLater = job.archive_reason !== 'merged' && (reason === 'merged' || reason === 'closed');
    if (isLater && reason === 'merged') await carryOver(store, job);
    return isLater ? updateJob(tx, jobId, { archive_reason: reason }) : job;
  }
  const status = transition(job.status, { kind: 'archive' });
  const open = await findOpenRun(tx, jobId);
  const isUnanswered = open || (await countWaitingMessages(tx, jobId)) > 0;
  await signalJob(tx, jobId);
  const archived = { ...(await stopJob(tx, jobId, status)), archive_reason: reason };
  if (isUnanswered) await dropUnanswered(store, archived, open ?? (await startRun(tx, jobId)), reason);
  else await recordArchived(store, archived, await findLastRunId(tx, jobId));
  if (reason === 'merged') await carryOver(store, job);
  return updateJob(tx, jobId, { archive_reason: reason });
}

async function dropUnanswered(store: StoreTx, job: Job, run: Run, reason: ArchiveReason): Promise<void> {
  const { tx } = store;
  const { job_id: jobId } = job;
  const { run_id: runId } = run;
  const sentence = archiveReasons[reason];
  const unanswered = await listOpenMessages(tx, jobId);
  await dropWaitingMessages(tx, { jobId, runId, reason: 'archived' });
  await finishMessages(tx, runId, { state: 'dropped', reason: 'archived' });
  if (reason !== 'repository_gone') await answerFailure(store, job, run, sentence);
  const end = { outcome: 'failed', code: 'archived', sentence } as const;
  const ended = await closeRun(store, job, runId, end);
  // What a label asked for goes to the next job.
  if (reason !== 'repository_gone' && unanswered.some(({ context }) => context?.conversation))
    await answerConversations(store, job, { run: ended, end, messages: await listMessagesOfRun(tx, runId) });
  if (reason === 'merged' || reason === 'closed') await returnOccasions(store, unanswered);
}

/** What triggered an automation and is not documented yet goes to its next job. */
async function returnOccasions({ tx, queue }: StoreTx, messages: readonly Message[]): Promise<void> {
  const messageIds = messages.map((message) => message.message_id);
  for (const key of await releaseOccasions(tx, messageIds)) {
    await makeDue(tx, key, { afterMs: 0 });
    await queue.send(tx, 'automation', key);
  }
}

/** For a job whose pull request was reopened. Idempotent; the job must be locked. */
export async function reopenJob(tx: Tx, job: Job): Promise<Job> {
  const status = transition(job.status, { kind: 'reopen' });
  if (status === job.status) return job;
  await recordEvents(tx, job.job_id, [{ type: 'job.unarchived', data: {} }]);
  return updateJob(tx, job.job_id, { status, archived_at: null, archive_reason: null });
}

/** Who asks for it: no automation can have this name. */
const author = 'also_to';

/**
 * Starts a job for each other branch that the settings want a merged change on, once for each pull request and branch. Call it in the transaction
 * that archives the job, with the job locked.
 */
async function carryOver({ tx, queue }: StoreTx, job: Job): Promise<void> {
  const { project_id: projectId, pull_request_number: number, pull_request_url: url, base, model } = job;
  const project = await findProject(tx, projectId);
  if (!project || project.removed_at !== null || number === null || url === null) return;
  const { also_to: branches, draft, ...settings } = readStoredSettings(project.settings);
  // What was carried over goes no further, and a person's branch may never be merged.
  if (base !== (settings.base ?? project.default_branch)) return;
  const title = job.pull_request_title ?? '';
  const conversation = { kind: 'pull_request', isMerged: true, number, title, author: '', text: '' } as const;
  for (const branch of new Set(branches.filter((each) => each !== base))) {
    const sourceKey = `also_to:${number}:${branch}`;
    if (await hasMessageAskedOn(tx, { projectId, number, sourceKey })) continue;
    const values = { job_id: createId('job'), project_id: projectId, base: branch, model, draft, automation: null };
    const prompt = `Make the change of ${url} on the branch ${branch}, too. It was merged into ${base}. Change the same statements in the same way, and nothing else. Where the branch differs so that a part does not fit, leave that part, and name it in your summary.`;
    const message = { messageId: createId('msg'), source: 'automation', author, prompt, sourceKey } as const;
    const events = [describeCreated(values), describeAccepted(message)];
    await openJob(tx, {
      job: { ...values, asked_on: number },
      message: { ...message, context: { conversation } },
      events,
    });
    await queue.sendWakeUp(tx);
  }
}

/**
 * Promises to close the pull request of a job that was archived on request, once for each time it is archived. A run that was just stopped may have
 * opened it: then its branch finds it. Returns false if there is nothing to close, or that was done. The job must be locked.
 */
export async function closePullRequest(store: StoreTx, job: Job, { author }: { author: string }): Promise<boolean> {
  const { job_id: jobId, archived_at: archivedAt, pull_request_number: pullRequest, branch } = job;
  if (job.archive_reason !== 'requested' || archivedAt === null || branch === null) return false;
  return intendAnswer(store, {
    jobId,
    asker: { author, source: 'api', deliveryId: null },
    key: `archive:${archivedAt.getTime()}:close`,
    answer: { kind: 'close', pullRequest, branch },
    isOnItsWay: pullRequest === null,
  });
}
