import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, median, percentile } from '../figures/figure.ts';
import { startEmptyRuns } from '../world/start-empty-runs.ts';

const runMs = 300;
const queued = 100;
const samples = 10;
const most = 1.2;

/** How long another project's first job waits while 100 jobs are queued, in run lengths. Takes about 15 s. */
export async function benchFairness(): Promise<Figure[]> {
  return [
    await measure('1 slot, 1 backlog', { backlogs: 1, workers: 1, concurrency: 1 }),
    await measure('2 workers with 2 slots, 1 backlog', { backlogs: 1, workers: 2, concurrency: 2 }),
    await measure('2 workers with 1 slot, 4 backlogs', { backlogs: 4, workers: 2, concurrency: 1 }),
  ];
}

async function measure(
  what: string,
  { backlogs, ...slots }: { backlogs: number; workers: number; concurrency: number },
): Promise<Figure> {
  await using runs = await startEmptyRuns({ ...slots, runMs, projects: backlogs + samples });
  // More jobs than the bench consumes.
  const jobs = queued + 4 * samples * slots.workers * slots.concurrency;
  let left = jobs;
  const accepted = Array.from({ length: jobs }, async (_, job) => {
    const { ended } = await runs.submit(job % backlogs);
    void ended.then(() => {
      left -= 1;
    });
  });
  await Promise.all(accepted);
  const waits: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    // A random moment, so that the POST is not in step with the runs.
    await delay(Math.random() * runMs);
    const postedAt = performance.now();
    const { claimedAt } = await runs.post(backlogs + sample);
    waits.push((claimedAt - postedAt) / runMs);
  }
  if (left < queued) throw new Error(`only ${left} jobs were queued at the end`);
  const longest = percentile(waits, 1);
  return {
    what: `first job behind ${queued}, ${what}`,
    measured: `waited ${median(waits).toFixed(2)} runs, at most ${longest.toFixed(2)} (n = ${samples})`,
    goal: { text: `≤ ${most}`, isMet: longest <= most },
  };
}
