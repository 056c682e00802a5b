import { type JobFilter, listJobs } from '../store/lists/list-jobs.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { listFirstMessages, type Message } from '../store/tables/jobs/messages.ts';
import { listLastCodes, listLastMoments } from '../store/tables/jobs/runs.ts';
import { firstLine } from '../text/bound.ts';

const maxNameLength = 120;

export interface JobRow {
  job: Job;
  first: Message | undefined;
  /** How its last run ended, if the job failed. */
  code: string | null;
  /** When its last run ended, or else began; before its first run, when it was created. */
  updatedAt: Date;
}

/** A page of jobs, newest first, each with its first message. */
export async function listJobRows(
  database: Database,
  { after, limit, ...filter }: JobFilter & { after?: string | undefined; limit: number },
): Promise<{ rows: JobRow[]; next: string | null }> {
  const { items, next } = await listJobs(database, filter, { limit, ...(after !== undefined && { after }) });
  const firstMessages = await listFirstMessages(
    database,
    items.map(({ job_id: jobId }) => jobId),
  );
  const failed = items.filter(({ status }) => status === 'failed').map(({ job_id: jobId }) => jobId);
  const codes = await listLastCodes(database, failed);
  const moments = await listLastMoments(
    database,
    items.map(({ job_id: jobId }) => jobId),
  );
  const byJob = new Map(firstMessages.map((message) => [message.job_id, message]));
  return {
    rows: items.map((job) => ({
      job,
      first: byJob.get(job.job_id),
      code: codes.get(job.job_id) ?? null,
      updatedAt: moments.get(job.job_id) ?? job.created_at,
    })),
    next,
  };
}

/** The title of the pull request, or else the beginning of the instruction. */
export const nameJob = ({ job, first }: { job: JobRow['job']; first: JobRow['first'] }): string =>
  job.pull_request_title ?? (firstLine(first?.prompt ?? '', maxNameLength) || job.job_id);
