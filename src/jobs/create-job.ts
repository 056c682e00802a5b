import { typeid } from 'typeid-js';
import { insertJob, type Job } from '../store/jobs.ts';
import { appendMessage } from '../store/messages.ts';
import { lockProject } from '../store/projects.ts';
import { countRequest, type RateState } from '../store/rate-counters.ts';
import type { Store } from '../store/store.ts';

export interface CreateJobRequest {
  projectId: string;
  prompt: string;
  author: string;
  /** null: the default branch of the project. */
  base: string | null;
  model: string;
  draft: boolean;
  /** Accepted requests per project and hour; 0: no limit. */
  rateLimit: number;
}

export type CreateJobResult =
  | { kind: 'accepted'; job: Job; rate: RateState | null }
  | { kind: 'rate_limited'; rate: RateState }
  | { kind: 'project_gone' };

/** Accepts a job: counter, job, first message and wake-up are one transaction, so what was accepted cannot be lost. */
export async function createJob({ database, queue }: Store, request: CreateJobRequest): Promise<CreateJobResult> {
  return database.transaction().execute(async (tx) => {
    const project = await lockProject(tx, request.projectId);
    if (!project) return { kind: 'project_gone' };
    const rate = request.rateLimit > 0 ? await countRequest(tx, { ...request, limit: request.rateLimit }) : null;
    if (rate && !rate.isAllowed) return { kind: 'rate_limited', rate };
    const job = await insertJob(tx, {
      job_id: typeid('job').toString(),
      project_id: request.projectId,
      status: 'active',
      base: request.base ?? project.default_branch,
      model: request.model,
      draft: request.draft,
    });
    await appendMessage(tx, { jobId: job.job_id, source: 'api', author: request.author, prompt: request.prompt });
    await queue.sendWakeUp(tx);
    return { kind: 'accepted', job, rate };
  });
}
