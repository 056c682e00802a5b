import { SecretsKeyMissing } from '../config/secrets.ts';
import type { Log } from '../log.ts';
import { isDatabaseUnavailable } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Queue } from '../store/schedule/queue.ts';
import { inTransaction, type StoreTx } from '../store/store.ts';
import {
  type ClaimedDelivery,
  failWaitingDeliveries,
  keepWebhookBody,
  recordWebhookTry,
  type TriedDelivery,
  type WebhookDelivery,
} from '../store/tables/webhooks/webhook-deliveries.ts';
import {
  markWebhookFailing,
  markWebhookWorking,
  switchOffWebhook,
  type WebhookRow,
} from '../store/tables/webhooks/webhooks.ts';
import type { Timing } from '../timing.ts';
import { type JobSnapshot, readSnapshot } from './announce.ts';
import type { Post, PostResult } from './post.ts';
import { type Seal, SealBroken, signMessage } from './seal.ts';
import { openSecrets } from './webhooks.ts';

/** The job and the run as the API shows them. */
export type DescribeEvent = (job: JobSnapshot, runId: string | null) => Promise<{ job: object; run: object | null }>;

export interface WebhookParts {
  database: Database;
  queue: Queue;
  seal: Seal;
  post: Post;
  describe: DescribeEvent;
  timing: Timing['outbound'];
  log: Log;
}

/** Sends a claimed delivery once and records the result. Throws the reason of `signal`, without a record. */
export async function deliver(
  parts: WebhookParts,
  { delivery, webhook }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<TriedDelivery> {
  const result = await send(parts, { delivery, webhook }, signal).catch((error: unknown): PostResult => {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error;
    parts.log.error({ err: error, deliveryId: delivery.delivery_id }, 'could not prepare a webhook');
    return { status: null, error: 'internal error of Pagewright' };
  });
  const tried = classify(result, findRetryMs(result, delivery.tries, parts.timing));
  await inTransaction(parts, (store) => record(store, { delivery, webhook, tried }, parts));
  return tried;
}

async function send(
  { database, seal, post, describe }: WebhookParts,
  { delivery, webhook }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<PostResult> {
  const { delivery_id: messageId } = delivery;
  const body = delivery.body ?? (await keepWebhookBody(database, messageId, await writeBody(describe, delivery)));
  return sendMessage({ seal, post }, { webhook, messageId, body }, signal);
}

/** Signs the body with each valid secret and sends it. */
export async function sendMessage(
  { seal, post }: { seal: Seal; post: Post },
  { webhook, messageId, body }: { webhook: WebhookRow; messageId: string; body: string },
  signal: AbortSignal,
): Promise<PostResult> {
  try {
    const headers = signMessage({ messageId, body, secrets: openSecrets(seal, webhook) });
    return await post(webhook.url, { headers, body }, signal);
  } catch (error) {
    if (!(error instanceof SealBroken) && !(error instanceof SecretsKeyMissing)) throw error;
    return { status: null, error: error.message };
  }
}

async function writeBody(describe: DescribeEvent, { type, at, job, run_id: runId }: WebhookDelivery): Promise<string> {
  return JSON.stringify({ type, timestamp: at.toISOString(), data: await describe(readSnapshot(job), runId) });
}

/** A receiver may ask for a longer pause than the schedule's, up to its longest. Null: this was the last try. */
function findRetryMs({ retryAfterMs = 0 }: PostResult, tries: number, { retryDelaysMs }: Timing['outbound']) {
  const scheduledMs = retryDelaysMs[tries - 1];
  return scheduledMs === undefined ? null : Math.max(scheduledMs, Math.min(retryAfterMs, Math.max(...retryDelaysMs)));
}

const gone = 410;

function classify({ status, error }: PostResult, retryMs: number | null): TriedDelivery {
  if (error === null) return { kind: 'delivered', status };
  return { kind: 'failed', status, error, retryMs: status === gone ? null : retryMs };
}

async function record(
  { tx, queue }: StoreTx,
  { delivery, webhook, tried }: ClaimedDelivery & { tried: TriedDelivery },
  { timing, log }: WebhookParts,
): Promise<void> {
  if (!(await recordWebhookTry(tx, delivery, tried))) return;
  const { webhook_id: webhookId } = webhook;
  if (tried.kind === 'delivered') {
    await markWebhookWorking(tx, webhookId);
    return;
  }
  if (tried.retryMs !== null) await queue.send(tx, 'webhook', {}, { delayMs: tried.retryMs });
  const failingMs = await markWebhookFailing(tx, webhookId);
  const reason = findSwitchOffReason(tried, failingMs, timing);
  if (reason === undefined || !(await switchOffWebhook(tx, webhookId, reason))) return;
  await failWaitingDeliveries(tx, webhookId, 'the webhook was disabled');
  log.warn({ webhookId, projectId: webhook.project_id, reason }, 'a webhook was disabled');
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability */
function findSwitchOffReason(
  { status, error }: TriedDelivery & { error: string },
  failingMs: number,
  { switchOffAfterMs }: Timing['outbound'],
): string | undefined {
  if (status === gone) return 'It answered 410 Gone.';
  if (failingMs < switchOffAfterMs) return undefined;
  return `All deliveries failed for ${Math.round(switchOffAfterMs / 86_400_000)} days; the last time ${error}.`;
}
