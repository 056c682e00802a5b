import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { drawFraming, type Framing, frameBody } from '../grammars/bodies.ts';
import type { Trial } from '../trial.ts';
import { sendGenuine } from '../world/send-genuine.ts';
import { openConnection, sendRaw } from '../world/send-raw.ts';
import { watchMemory } from '../world/watch-memory.ts';

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
