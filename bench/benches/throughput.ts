import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { startsWith } from '../../local/demo/start-service.ts';
import { describeRatio, type Figure, median } from '../figures/figure.ts';
import type { RequestsPlan } from '../load/send-requests.ts';
import { openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const roundCount = 5;
const load = { connections: 8, forMs: 1_500 };

/** How many requests for a job the API answers in a second, against an Express with the same middleware, key and row. Takes about 20 s. */
export async function benchThroughput(): Promise<Figure[]> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' } });
  const { jobId } = await world.untilSettled(await world.createJob('Nothing.'));
  await using express = await startExpress(world);
  const ours = { url: `${world.jobsUrl}/${jobId}`, headers: { authorization: world.headers.authorization }, ...load };
  const theirs = { ...ours, url: `${express.url}${new URL(ours.url).pathname}` };
  // The first requests compile.
  for (const plan of [ours, theirs]) await send({ ...plan, forMs: 500 });

  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < roundCount; round += 1)
    rounds.push({ ours: await send(ours), theirs: await send(theirs) });
  const describe = (what: string, figures: number[]) => ({ what, measured: `${Math.round(median(figures))} a second` });
  return [
    describe(
      'GET job',
      rounds.map((round) => round.ours),
    ),
    describe(
      'Express with the same middleware and two SELECTs',
      rounds.map((round) => round.theirs),
    ),
    describeRatio('GET job / the same in Express', rounds, { atLeast: 0.8 }),
  ];
}

/** With the settings of the service, and its log in a file, as the service's is. */
async function startExpress({ directory, databaseUrl }: { directory: string; databaseUrl: string }) {
  const { PATH } = process.env;
  await using log = await open(join(directory, 'express.log'), 'w');
  const child = fork(join(import.meta.dirname, '../load/like-express.ts'), {
    env: { PATH, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...startsWith.environment },
    execArgv: startsWith.options,
    stdio: ['ignore', log.fd, 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${z.number().parse(port)}`,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function send(workerData: RequestsPlan): Promise<number> {
  const worker = new Worker(new URL('../load/send-requests.ts', import.meta.url), { workerData });
  const [perSecond] = await once(worker, 'message');
  return z.number().parse(perSecond);
}
