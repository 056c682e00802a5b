import { createHmac } from 'node:crypto';
import type { World } from '../state/world.ts';

/** One attempt to deliver one event. A redelivery is a new entry with the same `deliveryId`. */
export interface Delivery {
  id: number;
  /** `X-GitHub-Delivery`. */
  deliveryId: string;
  event: string;
  action: string | null;
  installationId: number | null;
  repositoryId: number | null;
  payload: Record<string, unknown>;
  /** The exact bytes that are signed and sent. */
  body: string;
  redelivery: boolean;
  url: string | null;
  at: Date;
  /** `waiting`: held or in the queue; `unsent`: there was no webhook URL; else the HTTP status or why there is none. */
  status: 'waiting' | 'unsent' | 'no answer' | number;
  durationMs: number;
}

/** GitHub's time-out is ten seconds: https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/troubleshooting-webhooks#timed-out */
const timeoutMs = 10_000;

/** Posts a delivery and records its outcome on it; never throws. */
export async function postDelivery(
  world: World,
  delivery: Delivery,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: headersOf(world, delivery, secret),
      body: delivery.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await answer.arrayBuffer();
    delivery.status = answer.status;
  } catch {
    // An unreachable receiver is an outcome of the delivery; GitHub does not retry either.
    delivery.status = 'no answer';
  }
  delivery.durationMs = performance.now() - startedAt;
  world.log(`webhook ${delivery.event} ${delivery.action ?? ''} ${delivery.deliveryId}: ${delivery.status}`);
}

const headersOf = (world: World, delivery: Delivery, secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/standin',
  'x-github-delivery': delivery.deliveryId,
  'x-github-event': delivery.event,
  'x-github-hook-id': String(world.app?.id),
  'x-github-hook-installation-target-id': String(world.app?.id),
  'x-github-hook-installation-target-type': 'integration',
  'x-hub-signature': `sha1=${createHmac('sha1', secret).update(delivery.body).digest('hex')}`,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(delivery.body).digest('hex')}`,
});
