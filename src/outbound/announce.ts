import { z } from 'zod';
import { createId } from '../create-id.ts';
import type { StoreTx } from '../store/store.ts';
import { jobStatuses, type WebhookEvent } from '../store/tables/columns.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { insertWebhookDeliveries } from '../store/tables/webhooks/webhook-deliveries.ts';
import { listListeners } from '../store/tables/webhooks/webhooks.ts';

export interface Announcement {
  type: WebhookEvent;
  /** null: the job has had no run. */
  runId: string | null;
}

/** Writes one delivery for each webhook that listens, in order, in the transaction of what happened. Call it with the job as it is now, locked. */
export async function announce(
  { tx, queue }: StoreTx,
  job: Job,
  announcements: readonly Announcement[],
): Promise<void> {
  if (announcements.length === 0) return;
  const listeners = await listListeners(tx, job.project_id);
  const deliveries = listeners.flatMap(({ webhook_id: webhookId, events, owner, repo }) =>
    announcements
      .filter(({ type }) => events.includes(type))
      .map(({ type, runId }) => ({
        delivery_id: createId('whd'),
        webhook_id: webhookId,
        type,
        job_id: job.job_id,
        run_id: runId,
        job: JSON.stringify(takeSnapshot(job, { owner, repo })),
      })),
  );
  if (deliveries.length === 0) return;
  await insertWebhookDeliveries(tx, deliveries);
  await queue.send(tx, 'webhook', {});
}

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

const takeSnapshot = (job: Job, repository: { owner: string; repo: string }): JobSnapshot =>
  snapshotSchema.parse({ ...job, ...repository });

export const readSnapshot = (stored: unknown): JobSnapshot => snapshotSchema.parse(stored);
