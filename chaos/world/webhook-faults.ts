import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import type { ReceivedPost } from '../../harness/start-receiver.ts';
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

interface Delivery {
  delivery_id: string;
  job_id: string;
  seq: number;
  type: string;
  state: string;
  tries: number;
}

/** Compares what a receiver got with the events of the project's jobs. `disturbed` counts deliveries with a try that had no end. */
export async function findWebhookFaults(
  { database }: World,
  { projectId }: TrialProject,
  { webhookId, secret, posts, accepted }: WatchedWebhook,
): Promise<{ faults: string[]; deliveries: number; disturbed: number }> {
  const { rows: deliveries } = await sql<Delivery>`select delivery_id, job_id, seq, type, state, tries
    from webhook_deliveries where webhook_id = ${webhookId} order by job_id, seq`.execute(database);
  const { rows: expected } = await sql<{ what: string }>`
    select what from (
      select job_id || ' ' || type as what, job_id, seq from events join jobs using (job_id)
        where project_id = ${projectId} and type in ('job.completed', 'job.failed', 'job.archived')
    ) told order by job_id, seq`.execute(database);
  const { rows: answered } = await sql<{ runs: number }>`
    select count(distinct run_id)::int as runs from messages join jobs using (job_id)
      where project_id = ${projectId} and messages.state = 'answered'`.execute(database);
  const faults: string[] = [];

  const ends = deliveries
    .filter(({ type }) => type !== 'message.answered')
    .map(({ job_id, type }) => `${job_id} ${type}`);
  const events = expected.map(({ what }) => what);
  if (ends.join() !== events.join()) faults.push(`the events are ${events.join()}; the webhooks are ${ends.join()}`);
  const answers = deliveries.length - ends.length;
  if (answers !== answered[0]?.runs) faults.push(`${answered[0]?.runs} runs answered; ${answers} webhooks say so`);

  const known = new Map(deliveries.map((delivery) => [delivery.delivery_id, delivery]));
  let disturbed = 0;
  for (const delivery of deliveries) {
    const { delivery_id: deliveryId, state, tries } = delivery;
    const own = posts.filter(({ headers }) => headers['webhook-id'] === deliveryId);
    const arrived = own.filter((post) => accepted.has(post));
    if (state !== 'delivered' || arrived.length === 0)
      faults.push(`${deliveryId} is ${state}, accepted ${arrived.length} times`);
    if (new Set(own.map(({ body }) => body)).size > 1) faults.push(`${deliveryId} came with several bodies`);
    if (tries > own.length - arrived.length + 1) disturbed += 1;
  }
  for (const post of posts) {
    const delivery = known.get(String(post.headers['webhook-id']));
    if (!delivery) faults.push(`${post.headers['webhook-id']} is no delivery of the webhook`);
    else if (!isSigned(secret, post)) faults.push(`${delivery.delivery_id} has a wrong signature`);
  }
  return { faults: [...faults, ...findWrongOrder(posts, known, accepted)], deliveries: deliveries.length, disturbed };
}

/** A webhook comes only after those before it in its job were accepted, and none of these comes again. */
function findWrongOrder(
  posts: readonly ReceivedPost[],
  known: ReadonlyMap<string, Delivery>,
  accepted: ReadonlySet<ReceivedPost>,
): string[] {
  const began = new Map<string, number>();
  const done = new Set<string>();
  return posts.flatMap((post) => {
    const delivery = known.get(String(post.headers['webhook-id']));
    if (!delivery) return [];
    const { delivery_id: deliveryId, job_id: jobId, seq } = delivery;
    const early = [...known.values()].find(
      (other) => other.job_id === jobId && other.seq < seq && !done.has(other.delivery_id),
    );
    const isLate = seq < (began.get(jobId) ?? 0);
    began.set(jobId, Math.max(seq, began.get(jobId) ?? 0));
    if (accepted.has(post)) done.add(deliveryId);
    return [
      ...(early ? [`${deliveryId} came before ${early.delivery_id} of the same job`] : []),
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
