import { randomUUID } from 'node:crypto';
import { ApiError } from '../../local/github/api/api-error.ts';
import type { LocalPerson } from '../../local/github/create-person.ts';
import { processDelivery } from '../../src/deliveries/process-delivery.ts';
import { storeDelivery } from '../../src/deliveries/store-delivery.ts';
import { giveAnswer } from '../../src/effects/give-answer.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { inTransaction } from '../../src/store/store.ts';
import { listMessages } from '../../src/store/tables/jobs/messages.ts';
import { acceptJob } from '../support/databases/jobs.ts';
import { payloadFields } from '../support/values/payload-fields.ts';
import { type Entry, ourLogin, type Parts } from './create-parts.ts';
import { createHandWorker } from './hand-worker.ts';

/** As the service gets it. */
export interface Told {
  id: string;
  name: string;
  payload: object;
}

/** What becomes of a pull request, in the order in which it does, whenever we hear of it. */
export type Fact = 'closed' | 'closed by us' | 'reopened';

/** Those that may concern a job. The others, and those of what we wrote ourselves, would only take the place of these. */
const eventsOfJobs = ['pull_request', 'issue_comment', 'pull_request_review', 'pull_request_review_comment'];

const { signal } = new AbortController();

/** One job of the service, with everything that may happen to it, each as the service itself does it. */
export async function startLiveJob(parts: Parts) {
  const { database, entries, deliveryParts, world } = parts;
  const { github, repository, projectId, rita } = world;
  const { fullName } = repository;
  const { job_id: jobId } = await acceptJob(parts, projectId, 'First');
  parts.setClock();
  entries.length = 0;
  const { log } = github.deliveries;
  const began = log.length;
  let heard = began;
  const sent: Told[] = [];
  const untold: Told[] = [];
  const relayed = new Set<number>();
  let prompts = 0;
  const find = (id: string) => sent.find((delivery) => delivery.id === id);
  /** The job's pull request on GitHub, whether or not the job knows of it yet. */
  const pullRequest = () => rita.listPullRequests(fullName).find(({ headRef }) => headRef.endsWith(jobId.slice(-8)));

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
    parts,
    /** What the job's page in the documentation is called. */
    path: `${jobId}.md`,
    worker: createHandWorker(parts),
    /** What the queue holds. */
    entries,
    /** Deliveries that reached the door. */
    sent,
    pullRequest,
    /** Of comments that an App sent in a person's name. */
    relayed: relayed as ReadonlySet<number>,

    /** Somebody does something to the pull request on GitHub, unless GitHub refuses it. */
    async act(login: string, happen: (person: LocalPerson, number: number) => unknown): Promise<void> {
      const number = pullRequest()?.number;
      if (number === undefined) return;
      try {
        await happen(github.asPerson(login), number);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    },
    relay: (person: LocalPerson, number: number, body: string) =>
      void relayed.add(person.comment(fullName, number, body).id),

    /** Deliveries that were not sent yet, oldest first. */
    untold(): Told[] {
      for (const { deliveryId, event, action, payload } of log.slice(heard)) {
        const { comment, sender } = payloadFields.parse(payload);
        const isOurs = sender?.login === ourLogin && action !== 'closed' && action !== 'reopened';
        if (!eventsOfJobs.includes(event) || isOurs) continue;
        const isRelayed = comment && relayed.has(comment.id);
        const told = { ...payload, ...(isRelayed && { comment: { ...comment, performed_via_github_app: { id: 1 } } }) };
        untold.push({ id: deliveryId, name: event, payload: told });
      }
      heard = log.length;
      return untold;
    },
    facts: (): Fact[] =>
      log.slice(began).flatMap(({ event, action, payload }) => {
        const isFact = event === 'pull_request' && payload.number === pullRequest()?.number;
        if (!isFact || (action !== 'closed' && action !== 'reopened')) return [];
        const isOurs = payloadFields.parse(payload).sender?.login === ourLogin;
        return [action === 'closed' && isOurs ? 'closed by us' : action];
      }),

    async message(): Promise<{ key: string; kind: string }> {
      prompts += 1;
      const key = `Message ${prompts}`;
      const request = { projectId, jobId, source: 'api', author: 'ci', prompt: key, rateLimit: 0 } as const;
      return { key, kind: (await addMessage(parts, request)).kind };
    },
    cancel: () => cancelJob(parts, jobId),
    archive: () => inTransaction(parts, (store) => archiveJob(store, jobId, 'requested')),

    /** Under its own id, or as one that only says the same. */
    async deliver(delivery: Told, { isNew = false } = {}): Promise<void> {
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
