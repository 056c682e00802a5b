import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { describeRatio, type Figure, median } from '../figures/figure.ts';
import type { RequestsPlan } from '../load/send-requests.ts';
import { openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const pairCount = 4;
const load = { connections: 8, forMs: 1_500 };

/** How many requests for a job the API answers in a second, against a bare Express that answers with the same row. Takes about 20 s. */
export async function benchThroughput(): Promise<Figure[]> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' } });
  const { jobId } = await world.untilSettled(await world.createJob('Nothing.'));
  await using bare = await startBareExpress(world.databaseUrl);
  const ours = { url: `${world.jobsUrl}/${jobId}`, headers: { authorization: world.headers.authorization }, ...load };
  const theirs = { url: `${bare.url}/job/${jobId}`, headers: {}, ...load };
  // The first requests compile.
  await send({ ...ours, forMs: 500 });
  await send({ ...theirs, forMs: 500 });

  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) pairs.push({ ours: await send(ours), theirs: await send(theirs) });
  const describe = (what: string, figures: number[]) => ({ what, measured: `${Math.round(median(figures))} a second` });
  return [
    describe(
      'GET job',
      pairs.map((pair) => pair.ours),
    ),
    describe(
      'bare Express and one SELECT',
      pairs.map((pair) => pair.theirs),
    ),
    describeRatio('GET job / bare', pairs, { atLeast: 0.7 }),
  ];
}

async function startBareExpress(databaseUrl: string) {
  const { PATH } = process.env;
  const child = fork(join(import.meta.dirname, '../load/bare-express.ts'), {
    env: { PATH, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
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
