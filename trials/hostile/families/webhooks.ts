import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  disturbPayload,
  drawForgedSignature,
  drawFraming,
  type Framing,
  frameBody,
  signed,
} from '../grammars/deliveries.ts';
import type { Trial } from '../trial.ts';
import { openConversation, untilProcessed } from '../world/conversations.ts';
import { postDelivery, sendGenuine } from '../world/deliver.ts';
import { openConnection, sendRaw } from '../world/send-raw.ts';
import { watchMemory } from '../world/watch-service.ts';
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

const together = 6;

/** Bodies without a signature, in every framing and several at once, are refused; they take little memory and no time from GitHub's. */
export async function tryUnsignedBodies({ world, ledger, random, size }: Trial): Promise<void> {
  const count = Math.ceil(size / 3);
  const framings = Array.from({ length: count }, () => drawFraming(random));
  const broken = await watchMemory(world, async (look) => {
    const found: string[] = [];
    for (let at = 0; at < count; at += together) {
      const sent = framings.slice(at, at + together).map(async (framing) => {
        const { status } = await sendRaw(world.url, frame(framing), { withinMs: 1_500 });
        const isRefused = status === 0 || (status >= 400 && status !== 500);
        return isRefused ? [] : [`${JSON.stringify(framing)} was answered ${status}`];
      });
      found.push(...(await sendGenuine(world)), ...(await Promise.all(sent)).flat());
      look();
    }
    return found;
  });
  ledger.count(7, 'webhooks: bodies', count, broken);
}

/** Sizes of held bodies: the large ones fill a shared budget, the small ones what is left of it. */
const held = [...fill(6, 20_000_000), ...fill(20, 1_000_000), ...fill(60, 60_000), ...fill(150, 1_000), ...fill(60, 0)];

/** Hundreds of connections send most of their body, and stop. */
export async function tryHeldConnections({ world, ledger, random }: Trial): Promise<void> {
  const broken = await watchMemory(world, async (look) => {
    const sockets = await Promise.all(
      held.map(async (bytes) => {
        const head = random.pick([`Content-Length: ${bytes + 1_000}\r\n`, `Content-Length: ${bytes + 1}\r\n`]);
        const socket = await openConnection(world.url);
        socket.write(requestHead(head));
        socket.write(Buffer.alloc(bytes, 'x'));
        return socket;
      }),
    );
    // What this process still has to send would count as the service's delay.
    await delay(1_500);
    const found: string[] = [];
    for (let left = 20; left > 0; left -= 1) {
      found.push(...(await sendGenuine(world)));
      look();
    }
    for (const socket of sockets) socket.destroy();
    return found;
  });
  ledger.count(7, 'webhooks: held connections', held.length, broken);
}

const requestHead = (head: string) =>
  [
    'POST /api/github/webhooks HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'X-GitHub-Event: ping',
    `X-GitHub-Delivery: ${randomUUID()}`,
    `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`,
    `${head}\r\n`,
  ].join('\r\n');

function* frame(framing: Framing): Generator<string | Buffer> {
  yield requestHead(framing.head);
  yield* frameBody(framing);
}

function fill(count: number, bytes: number): number[] {
  return Array.from({ length: count }, () => bytes);
}
