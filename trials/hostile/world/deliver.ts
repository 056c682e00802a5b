import { randomUUID } from 'node:crypto';
import { onBusyMachine } from '../../../harness/on-busy-machine.ts';
import { signed } from '../grammars/deliveries.ts';
import type { World } from './world.ts';

/** Sends a delivery as GitHub does. `status` is 0 when the connection broke, or nothing came for ten seconds. */
export async function postDelivery(
  { webhook }: World,
  { event, body, signature, id = randomUUID() }: { event: string; body: string; signature: string; id?: string },
): Promise<{ status: number; tookMs: number }> {
  const began = performance.now();
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': Buffer.from(signature).toString('latin1'),
  };
  const status = await fetch(webhook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.status,
    () => 0,
  );
  return { status, tookMs: performance.now() - began };
}

const mostMs = 1_000;

/** A delivery of GitHub's own among the hostile ones: whether it is accepted within a second. */
export async function sendGenuine(world: World): Promise<string[]> {
  const body = JSON.stringify({ zen: 'x'.repeat(20_000) });
  const signature = signed(world.webhook.secret, body);
  const { status, tookMs } = await postDelivery(world, { event: 'ping', body, signature });
  if (status !== 202) return [`a signed delivery was answered ${status}`];
  return tookMs > onBusyMachine(mostMs) ? [`a signed delivery waited ${tookMs.toFixed()} ms for its answer`] : [];
}
