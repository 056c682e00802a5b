import { z } from 'zod';
import { jobStatuses } from '../store/tables/columns.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';

const snapshotSchema = z.object({
  job_id: z.string(),
  status: z.enum(jobStatuses),
  base: z.string(),
  branch: z.string().nullable(),
  model: z.string(),
  pull_request_url: z.string().nullable(),
  created_at: z.coerce.date(),
  archived_at: z.coerce.date().nullable(),
  owner: z.string(),
  repo: z.string(),
});

/** A job as it was at an event, with its repository's name. */
export type JobSnapshot = z.infer<typeof snapshotSchema>;

export const takeSnapshot = (job: Job, repository: { owner: string; repo: string }): JobSnapshot =>
  snapshotSchema.parse({ ...job, ...repository });

export const readSnapshot = (stored: unknown): JobSnapshot => snapshotSchema.parse(stored);
