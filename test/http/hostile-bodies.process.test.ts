import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { steps } from '../../local/model/script.ts';
import { webhookPath } from '../../src/config/urls.ts';
import { createWorld } from '../support/worlds/world.ts';

// nock would hold back a body that never ends.
beforeAll(() => nock.restore());
afterAll(() => nock.activate());

const attackMs = 3_000;
const connections = 6;
const unsigned = `sha256=${'0'.repeat(64)}`;

function openWebhook(url: string, framing: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  socket.on('error', () => {});
  const headers = ['Host: localhost', 'Content-Type: application/json', `X-Hub-Signature-256: ${unsigned}`, framing];
  socket.write(
    [`POST ${webhookPath} HTTP/1.1`, 'X-GitHub-Event: push', 'X-GitHub-Delivery: 1', ...headers, '', ''].join('\r\n'),
  );
  return socket;
}

const length = `Content-Length: ${25 * 1024 * 1024 - 1}`;

/** How one connection attacks: what it sends again and again until the service closes it. */
const attacks: [string, string, Buffer][] = [
  ['HTTP chunks of one byte', 'Transfer-Encoding: chunked', Buffer.from('1\r\na\r\n'.repeat(10_000))],
  ['TCP segments of one byte', length, Buffer.from('a')],
  ['large bodies at full speed', length, Buffer.alloc(64 * 1024, 'a')],
  ['large bodies that stop', length, Buffer.alloc(0)],
];

async function attack(url: string, framing: string, part: Buffer, until: number): Promise<void> {
  while (performance.now() < until) {
    const socket = openWebhook(url, framing);
    const closed = once(socket, 'close').catch(() => {});
    socket.write(Buffer.alloc(framing === length ? 128 * 1024 : 0, 'a'));
    while (!socket.destroyed && performance.now() < until) {
      const hasRoom = socket.write(part);
      await (hasRoom ? nextTurn() : Promise.race([once(socket, 'drain').catch(() => {}), closed]));
    }
    socket.destroy();
    await closed;
  }
}

const readRss = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

async function deliver(url: string, secret: string) {
  const body = JSON.stringify({ zen: 'Keep it logically awesome.' });
  const startedAt = performance.now();
  const { status } = await fetch(`${url}${webhookPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });
  return { status, ms: performance.now() - startedAt };
}

test.runIf(process.platform === 'linux')(
  'promise 7: unsigned bodies take at most 32 MB, however they are sent, while signed ones are stored within a second',
  async () => {
    await using world = await createWorld({ script: steps([]) });
    await using service = await spawnService(world, {
      // As `npm start` does.
      command: [process.execPath, '--max-semi-space-size=2', '--heap-growing-percent=20', 'src/main.ts'],
      environment: { MALLOC_ARENA_MAX: '1' },
    });
    const secret = world.environment.WEBHOOK_SECRET ?? '';
    await deliver(service.url, secret);
    for (const [name, framing, part] of attacks) {
      const before = readRss(service.pid);
      const until = performance.now() + attackMs;
      const attackers = Array.from({ length: connections }, () => attack(service.url, framing, part, until));
      let most = 0;
      const slow: unknown[] = [];
      while (performance.now() < until) {
        const { status, ms } = await deliver(service.url, secret);
        if (status !== 202 || ms > 1_000) slow.push({ status, ms });
        most = Math.max(most, readRss(service.pid));
      }
      await Promise.all(attackers);
      const grownMb = Math.round((most - before) / 1e6);
      expect({ name, slow }).toEqual({ name, slow: [] });
      // Beside the bodies: what Node.js read from the sockets and has not collected yet.
      expect(grownMb, name).toBeLessThan(100);
    }
  },
);
