import { setTimeout as delay } from 'node:timers/promises';
import type { Trial } from '../trial.ts';
import { sendGenuine } from '../world/send-genuine.ts';
import { openConnection } from '../world/send-raw.ts';
import { watchMemory } from '../world/watch-memory.ts';

/** As much as one read of a socket brings. */
const pipelinedBytes = 57 * 1024;
const paths = [
  '/openapi.json',
  '/docs',
  '/livez',
  '/readyz',
  '/',
  '/assets/x.css',
  '/v2/agent/x/job',
  '/nowhere',
] as const;
const attackMs = 3_000;

/** Connections that pipeline requests and never read an answer hold up nobody, and take little memory. */
export async function tryUnreadAnswers({ world, ledger, random, size }: Trial): Promise<void> {
  const counts = [1, 4, 16, ...Array.from({ length: Math.ceil(size / 100) }, () => Math.ceil(random.between(1, 40)))];
  let connections = 0;
  const broken = await watchMemory(world, async () => {
    const found: string[] = [];
    for (const count of counts) {
      connections += count;
      const path = connections === 1 ? '/openapi.json' : random.pick(paths);
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n`;
      const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(world.url)));
      for (const socket of sockets) {
        socket.pause();
        socket.write(request.repeat(Math.floor(pipelinedBytes / request.length)));
      }
      const until = performance.now() + attackMs;
      while (performance.now() < until) {
        const faults = await sendGenuine(world);
        found.push(...faults.map((fault) => `${count} connections that do not read ${path}: ${fault}`));
        await delay(50);
      }
      for (const socket of sockets) socket.destroy();
    }
    return found;
  });
  ledger.count(42, 'silence: unread answers', connections, broken);
}
