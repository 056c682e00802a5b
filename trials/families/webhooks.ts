import { randomUUID } from 'node:crypto';
import { disturbPayload, drawForgedSignature, signed } from '../grammars/deliveries.ts';
import type { Trial } from '../trial.ts';
import { openConversation, untilProcessed } from '../world/open-conversation.ts';
import { postDelivery } from '../world/post-delivery.ts';
import type { World } from '../world/world.ts';

const name = (what: string) => `webhooks: ${what}`;

/** A body with a signature that is not GitHub's is refused and leaves nothing. */
export async function tryForgeries({ world, ledger, random, size }: Trial): Promise<void> {
  const earlier = await countDeliveries(world);
  const broken: string[] = [];
  for (let left = size; left > 0; left -= 1) {
    const body = JSON.stringify({ action: 'created', n: random.between(0, 1) });
    const signature = drawForgedSignature(random, body, world.webhook.secret);
    const { status } = await postDelivery(world, { event: 'issue_comment', body, signature });
    if (status < 400 || status >= 500) broken.push(`${JSON.stringify(signature)} was answered ${status}`);
  }
  const stored = (await countDeliveries(world)) - earlier;
  ledger.count(7, name('forgeries'), size, stored > 0 ? [...broken, `${stored} were stored`] : broken);
}

/** Deliveries with GitHub's signature whose payload is not as GitHub describes it neither fail nor wait for ever. */
export async function tryPayloads({ world, ledger, random, size }: Trial): Promise<void> {
  const { fullName, settled } = await openConversation(world);
  world.rita.comment(fullName, 1, 'Thank you.');
  await settled();
  const { log } = world.github.deliveries;
  const broken: string[] = [];
  for (let left = size; left > 0; left -= 1) {
    const { event, payload } = log[Math.floor(random.between(0, log.length))] ?? { event: 'ping', payload: {} };
    const body = JSON.stringify(disturbPayload(random, payload));
    const { status } = await postDelivery(world, { event, body, signature: signed(world.webhook.secret, body) });
    if (status === 0 || status >= 500) broken.push(`${event} was answered ${status}: ${body.slice(0, 300)}`);
  }
  const left = await untilProcessed(world);
  ledger.count(24, name('payloads'), size, [...broken, ...left.map((what) => `not processed: ${what}`)]);
}

/** The same delivery again, under its id or another, starts nothing again. */
export async function tryReplays({ world, ledger, random, size }: Trial): Promise<void> {
  const { fullName, listPrompts, settled } = await openConversation(world);
  world.rita.comment(fullName, 1, 'Please shorten the page.');
  await settled();
  const original = world.github.deliveries.log.findLast(({ event }) => event === 'issue_comment');
  if (!original) throw new Error('GitHub sent no comment');
  const { body, deliveryId } = original;
  const times = Math.ceil(size / 5);
  const earlier = await listPrompts();
  for (let left = times; left > 0; left -= 1) {
    const id = random.pick([deliveryId, randomUUID(), deliveryId.toUpperCase()]);
    await postDelivery(world, { event: 'issue_comment', body, signature: signed(world.webhook.secret, body), id });
  }
  await settled();
  const more = (await listPrompts()).length - earlier.length;
  ledger.count(8, name('replays'), times, more > 0 ? [`${more} more messages after replays`] : []);
}

async function countDeliveries({ database: { database } }: World): Promise<number> {
  return (await database.selectFrom('deliveries').select('delivery_id').execute()).length;
}
