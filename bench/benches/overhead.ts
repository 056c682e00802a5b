import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRatio, type Figure, formatMs, median } from '../figures/figure.ts';
import { time } from '../figures/time.ts';
import { createBareJob } from '../load/bare-job.ts';
import { openWorld } from '../world/open-world.ts';
import { perRunWriting } from '../world/scripts.ts';

const pairCount = 7;

/** A job, from POST to pull request, against a script with the same git and REST work. The model's requests count as the job's. */
export async function benchOverhead(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n`]));
  const world = cleanup.use(await openWorld({ script: perRunWriting, files }));
  const bareJob = createBareJob(world, directory);
  const job = async () => world.untilDone(await world.createJob('Write a page.'), 1);
  // The first of each clones, connects and compiles.
  await job();
  await bareJob('warm-up');

  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    const theirs = await time(() => bareJob(`bare-${pair}`));
    pairs.push({ ours: await time(job), theirs });
  }
  return [
    { what: 'a whole job', measured: formatMs(median(pairs.map(({ ours }) => ours))) },
    { what: 'a bare script', measured: formatMs(median(pairs.map(({ theirs }) => theirs))) },
    describeRatio('job / script', pairs, { atMost: 1.5 }),
  ];
}
