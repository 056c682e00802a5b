import { signed } from '../grammars/deliveries.ts';
import { onBusyMachine } from './on-busy-machine.ts';
import { postDelivery } from './post-delivery.ts';
import type { World } from './world.ts';

const mostMs = 1_000;

/** A delivery of GitHub's own among the hostile ones: whether it is accepted within a second. */
export async function sendGenuine(world: World): Promise<string[]> {
  const body = JSON.stringify({ zen: 'x'.repeat(20_000) });
  const signature = signed(world.webhook.secret, body);
  const { status, tookMs } = await postDelivery(world, { event: 'ping', body, signature });
  if (status !== 202) return [`a signed delivery was answered ${status}`];
  return tookMs > onBusyMachine(mostMs) ? [`a signed delivery waited ${tookMs.toFixed()} ms for its answer`] : [];
}
