import { type JobFilter, listJobs } from '../store/lists/list-jobs.ts';
import type { Database } from '../store/postgres/database.ts';
import { type Job, listJobsById } from '../store/tables/jobs/jobs.ts';
import { listFirstMessages, type Message } from '../store/tables/jobs/messages.ts';
import { listLastRuns } from '../store/tables/jobs/runs.ts';
import { listVerdicts, noVerdict, type Verdict } from '../store/tables/jobs/verdicts.ts';
import { firstLine } from '../text/bound.ts';

const maxNameLength = 120;

export interface JobRow {
  job: Job;
  first: Message | undefined;
  /** How its last run ended, if the job failed. */
  code: string | null;
  /** When its last run ended, or else began; before its first run, when it was created. */
  updatedAt: Date;
  verdict: Verdict;
  /** Problems that the checks of the last run left in the change. */
  problems: number;
}

/** A page of jobs, newest first, each with its first message. */
export async function listJobRows(
  database: Database,
  { after, limit, ...filter }: JobFilter & { after?: string | undefined; limit: number },
): Promise<{ rows: JobRow[]; next: string | null }> {
  const { items, next } = await listJobs(database, filter, { limit, ...(after !== undefined && { after }) });
  const all = items.map(({ job_id: jobId }) => jobId);
  const firstMessages = await listFirstMessages(database, all);
  const lasts = await listLastRuns(database, all);
  const verdicts = await listVerdicts(database, all);
  const byJob = new Map(firstMessages.map((message) => [message.job_id, message]));
  return {
    rows: items.map((job) => ({
      job,
      first: byJob.get(job.job_id),
      code: lasts.get(job.job_id)?.code ?? null,
      updatedAt: lasts.get(job.job_id)?.at ?? job.created_at,
      verdict: verdicts.get(job.job_id) ?? noVerdict,
      problems: lasts.get(job.job_id)?.problems ?? 0,
    })),
    next,
  };
}

/** The title of the pull request, or else the beginning of the instruction. */
export const nameJob = ({ job, first }: { job: JobRow['job']; first: JobRow['first'] }): string =>
  job.pull_request_title ?? (firstLine(first?.prompt ?? '', maxNameLength) || job.job_id);

/** By their ids; without those that the project does not have. */
export async function nameJobs(
  database: Database,
  projectId: string,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const firsts = new Map((await listFirstMessages(database, jobIds)).map((first) => [first.job_id, first]));
  const jobs = await listJobsById(database, { projectId, jobIds });
  return new Map(jobs.map((job) => [job.job_id, nameJob({ job, first: firsts.get(job.job_id) })]));
}
