import type { Database } from '../../../store/postgres/database.ts';
import type { Job } from '../../../store/tables/jobs.ts';
import { listMessages, type Message } from '../../../store/tables/messages.ts';
import { listRuns, type Run } from '../../../store/tables/runs.ts';

/** What a job's page shows. */
export interface Story {
  job: Job;
  messages: Message[];
  runs: (Run & { turns: number })[];
}

export async function readStory(database: Database, job: Job): Promise<Story> {
  const messages = await listMessages(database, job.job_id);
  return { job, messages, runs: await listRuns(database, job.job_id) };
}
