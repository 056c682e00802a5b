import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { z } from 'zod';
import type { ReceivedPost } from '../../../harness/start-receiver.ts';
import type { TrialProject } from './trial-project.ts';
import type { World } from './world.ts';

export interface WatchedWebhook {
  webhookId: string;
  secret: string;
  /** In the order of their arrival. */
  posts: readonly ReceivedPost[];
  /** Those that were answered 2xx. */
  accepted: ReadonlySet<ReceivedPost>;
}

export interface SentWebhook {
  deliveryId: string;
  jobId: string;
  runId: string | null;
  seq: number;
  type: string;
  state: string;
  tries: number;
}

/** What the tables say. */
export interface ToldOfProject {
  /** In the order of the job and `seq`. */
  deliveries: readonly SentWebhook[];
  /** `<job> <type>` of each end of a job, in the order of the job and its events. */
  ends: readonly string[];
  /** Runs that answered messages. */
  answeredRuns: readonly string[];
}

/** Compares what a receiver got with the events of the project's jobs. `disturbed` counts deliveries with a try that had no end. */
export async function findWebhookFaults(
  { database }: World,
  { projectId }: TrialProject,
  webhook: WatchedWebhook,
): Promise<{ faults: string[]; deliveries: number; disturbed: number }> {
  const { rows: deliveries } = await sql<SentWebhook>`
    select delivery_id as "deliveryId", job_id as "jobId", run_id as "runId", seq, type, state, tries
    from webhook_deliveries where webhook_id = ${webhook.webhookId} order by job_id, seq`.execute(database);
  const { rows: ends } = await sql<{ what: string }>`
    select what from (
      select job_id || ' ' || type as what, job_id, seq from events join jobs using (job_id)
        where project_id = ${projectId} and type in ('job.completed', 'job.failed', 'job.archived')
    ) told order by job_id, seq`.execute(database);
  const { rows: answered } = await sql<{ runId: string }>`
    select distinct run_id as "runId" from messages join jobs using (job_id)
      where project_id = ${projectId} and messages.state = 'answered'`.execute(database);
  const told = { deliveries, ends: ends.map(({ what }) => what), answeredRuns: answered.map(({ runId }) => runId) };
  return {
    faults: judgeWebhooks(told, webhook),
    deliveries: deliveries.length,
    disturbed: countDisturbed(told, webhook),
  };
}

const ofDelivery = (posts: readonly ReceivedPost[], { deliveryId }: SentWebhook) =>
  posts.filter(({ headers }) => headers['webhook-id'] === deliveryId);

/** A try that neither succeeded nor failed: a kill interrupted it. */
function countDisturbed({ deliveries }: ToldOfProject, { posts, accepted }: WatchedWebhook): number {
  const countFailed = (delivery: SentWebhook) =>
    ofDelivery(posts, delivery).filter((post) => !accepted.has(post)).length;
  return deliveries.filter((delivery) => delivery.tries > countFailed(delivery) + 1).length;
}

export function judgeWebhooks(
  { deliveries, ends, answeredRuns }: ToldOfProject,
  { secret, posts, accepted }: Omit<WatchedWebhook, 'webhookId'>,
): string[] {
  const faults: string[] = [];
  const isAnswer = ({ type }: SentWebhook) => type === 'message.answered';
  const told = deliveries.filter((delivery) => !isAnswer(delivery)).map(({ jobId, type }) => `${jobId} ${type}`);
  if (told.join() !== ends.join()) faults.push(`the events are ${ends.join()}; the webhooks are ${told.join()}`);
  const answers = deliveries.filter(isAnswer).map(({ runId }) => runId);
  if (answers.toSorted().join() !== answeredRuns.toSorted().join())
    faults.push(`the runs ${answeredRuns.join()} answered; webhooks tell it of ${answers.join()}`);
  for (const answer of deliveries.filter(isAnswer)) {
    const { jobId, runId, seq } = answer;
    const end = deliveries.find((other) => other.jobId === jobId && other.runId === runId && other.seq < seq);
    if (end) faults.push(`${end.type} of ${runId} comes before its message.answered`);
  }

  const known = new Map(deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  for (const delivery of deliveries) {
    const own = ofDelivery(posts, delivery);
    const arrived = own.filter((post) => accepted.has(post));
    if (delivery.state !== 'delivered' || arrived.length === 0)
      faults.push(`${delivery.deliveryId} is ${delivery.state}, accepted ${arrived.length} times`);
    if (new Set(own.map(({ body }) => body)).size > 1) faults.push(`${delivery.deliveryId} came with several bodies`);
  }
  for (const post of posts) {
    const delivery = known.get(String(post.headers['webhook-id']));
    if (!delivery) faults.push(`${post.headers['webhook-id']} is no delivery of the webhook`);
    else if (!isSigned(secret, post)) faults.push(`${delivery.deliveryId} has a wrong signature`);
    else if (!isAbout(delivery, post)) faults.push(`${delivery.deliveryId} tells of something else`);
  }
  return [...faults, ...findWrongOrder(posts, known, accepted)];
}

const bodyShape = z.object({
  type: z.string(),
  data: z.object({ job: z.object({ id: z.string() }), run: z.object({ id: z.string() }).nullable() }),
});

function isAbout({ type, jobId, runId }: SentWebhook, { body }: ReceivedPost): boolean {
  const { type: toldType, data } = bodyShape.parse(JSON.parse(body));
  return toldType === type && data.job.id === jobId && (data.run?.id ?? null) === runId;
}

/** A webhook comes only after those before it in its job were accepted, and none of these comes again. */
function findWrongOrder(
  posts: readonly ReceivedPost[],
  known: ReadonlyMap<string, SentWebhook>,
  accepted: ReadonlySet<ReceivedPost>,
): string[] {
  const began = new Map<string, number>();
  const done = new Set<string>();
  return posts.flatMap((post) => {
    const delivery = known.get(String(post.headers['webhook-id']));
    if (!delivery) return [];
    const { deliveryId, jobId, seq } = delivery;
    const early = [...known.values()].find(
      (other) => other.jobId === jobId && other.seq < seq && !done.has(other.deliveryId),
    );
    const isLate = seq < (began.get(jobId) ?? 0);
    began.set(jobId, Math.max(seq, began.get(jobId) ?? 0));
    if (accepted.has(post)) done.add(deliveryId);
    return [
      ...(early ? [`${deliveryId} came before ${early.deliveryId} of the same job`] : []),
      ...(isLate ? [`${deliveryId} came after a later one of its job`] : []),
    ];
  });
}

function isSigned(secret: string, { body, headers }: ReceivedPost): boolean {
  try {
    new Verifier(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
}
