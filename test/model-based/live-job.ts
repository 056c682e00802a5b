import { randomUUID } from 'node:crypto';
import { processDelivery } from '../../src/deliveries/process-delivery.ts';
import { storeDelivery } from '../../src/deliveries/store-delivery.ts';
import { giveAnswer } from '../../src/effects/give-answer.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { inTransaction } from '../../src/store/store.ts';
import { listMessages } from '../../src/store/tables/jobs/messages.ts';
import { acceptJob } from '../support/databases/jobs.ts';
import type { Entry, Parts } from './create-parts.ts';
import { createHandWorker } from './hand-worker.ts';
import type { MemoryDelivery, MemoryGitHub } from './memory-github.ts';

const { signal } = new AbortController();

/** One job of the service, with everything that may happen to it, each as the service itself does it. */
export async function startLiveJob({
  parts,
  memory,
  projectId,
}: {
  parts: Parts;
  memory: MemoryGitHub;
  projectId: string;
}) {
  const { database, entries, deliveryParts } = parts;
  const { job_id: jobId } = await acceptJob(parts, projectId, 'First');
  const sent: MemoryDelivery[] = [];
  entries.length = 0;
  memory.untold.length = 0;
  memory.facts.length = 0;
  let prompts = 0;
  const find = (id: string) => sent.find((delivery) => delivery.id === id);

  /** As the queue does; false: it comes again, later. */
  async function work(entry: Entry): Promise<boolean> {
    if (entry.kind === 'answer') {
      // A failure is tried again.
      const again = await giveAnswer(parts, entry, signal).catch(() => new Date());
      if (again) entries.push(entry);
      return again === undefined;
    }
    const { deliveryId } = entry;
    // The time that it was to wait has passed; a comment only makes way for older ones, which wait in the same queue.
    const longAgo = new Date(Date.now() - 60_000);
    if (entry.isLater || find(deliveryId)?.name === 'issue_comment')
      await database
        .updateTable('deliveries')
        .set({ received_at: longAgo })
        .where('delivery_id', '=', deliveryId)
        .execute();
    const again = await processDelivery(deliveryParts, deliveryId, signal);
    if (again) entries.push({ ...entry, isLater: true });
    return again === undefined;
  }

  return {
    jobId,
    memory,
    parts,
    worker: createHandWorker(parts, memory),
    /** What the queue holds. */
    entries,
    /** Deliveries that reached the door. */
    sent,
    untold: memory.untold,
    /** The job's pull request on GitHub, whether or not the job knows of it yet. */
    pullRequest: () => [...memory.pullRequests.values()].find(({ branch }) => branch.endsWith(jobId.slice(-8))),

    async message(): Promise<{ key: string; kind: string }> {
      prompts += 1;
      const key = `Message ${prompts}`;
      const request = { projectId, jobId, source: 'api', author: 'ci', prompt: key, rateLimit: 0 } as const;
      return { key, kind: (await addMessage(parts, request)).kind };
    },
    cancel: () => cancelJob(parts, jobId),
    archive: () => inTransaction(parts, (store) => archiveJob(store, jobId, 'requested')),

    /** Under its own id, or as one that only says the same. */
    async deliver(delivery: MemoryDelivery, { isNew = false } = {}): Promise<void> {
      const told = isNew ? { ...delivery, id: randomUUID() } : delivery;
      sent.push(told);
      await storeDelivery(parts, told);
    },
    work,
    findDelivery: find,

    async read() {
      const job = await database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
      return { job, messages: await listMessages(database, jobId) };
    },
  };
}

export type LiveJob = Awaited<ReturnType<typeof startLiveJob>>;
